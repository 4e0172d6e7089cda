"""Searching a folder: every outcome is a value, and what could not be read makes it incomplete."""

from pathlib import Path, PurePosixPath

from deepagents.backends import FilesystemBackend
from deepagents.backends.protocol import FileInfo, GlobResult, GrepMatch, GrepResult
from deepagents.backends.utils import InvalidGlobPatternError, compile_grep_include_glob
from typing_extensions import override

from handrail_backends.confined import ConfinedFolder
from handrail_backends.editing import as_shown
from handrail_backends.handles import reason
from handrail_backends.names import printable, readable

_GIT = ".git"
"""Searched only when it is asked for: what lies in it is git's, not the project's."""

NOT_TEXT = "is not UTF-8 text; look at it with a command, for example `file` or `xxd`."


class SearchableFolder(FilesystemBackend):
    """Keys start at the folder. The model finds it at `shown_as`, by default at its real path."""

    def __init__(self, root: Path, *, shown_as: str | None = None) -> None:
        super().__init__(root_dir=root, virtual_mode=True)
        self.disk = ConfinedFolder(self.cwd)
        self._shown_as = (str(self.cwd) if shown_as is None else shown_as).rstrip("/")

    def shown(self, key: str) -> str:
        inner = printable(key.strip("/"))
        return f"{self._shown_as}/{inner}" if inner else self._shown_as or "/"

    def problem(self, key: str, error: OSError) -> str:
        return f"{self.shown(key)} {reason(error)}."

    @override
    def grep(
        self,
        pattern: str,
        path: str | None = None,
        glob: str | None = None,
        *,
        max_count: int | None = None,
        context_lines: int = 0,
    ) -> GrepResult:
        refusal = self._refusal(path, glob)
        if refusal is not None:
            return GrepResult(error=refusal)
        if path is not None and not self._is_folder(path):
            return self._grep_file(pattern, path, max_count)
        found = super().grep(pattern, path, glob, max_count=max_count, context_lines=context_lines)
        inner = len(PurePosixPath(path or "/").parts)
        matches = [
            readable_match(match)
            for match in found.matches or []
            if _GIT not in PurePosixPath(match["path"]).parts[inner:]
        ]
        return GrepResult(matches=matches, truncated=found.truncated or found.error is not None)

    @override
    def glob(self, pattern: str, path: str | None = None) -> GlobResult:
        refusal = self._refusal(path, pattern)
        if refusal is not None:
            return GlobResult(error=refusal)
        if path is not None and not self._is_folder(path):
            return GlobResult(error=f"{self.shown(path)} is not a folder.")
        found = super().glob(pattern, path)
        partly = found.error is not None
        return GlobResult(
            matches=[readable_info(info) for info in found.matches or []],
            truncated=found.truncated or partly,
            truncation_reason="unreadable" if partly else found.truncation_reason,
        )

    @override
    def _resolve_path(self, key: str) -> Path:
        return self.disk.resolve(key)

    @override
    def _to_virtual_path(self, path: Path) -> str:
        """Links keep their own name. Raises `ValueError` for one that leads outside."""
        path.resolve().relative_to(self.cwd)
        return "/" + path.relative_to(self.cwd).as_posix()

    def _refusal(self, path: str | None, pattern: str | None) -> str | None:
        """Why a search cannot be made. A folder that will be made later has nothing in it yet."""
        try:
            target = self.disk.resolve(path or "/")
            if target != self.cwd:
                target.stat()
            if pattern is not None:
                compile_grep_include_glob(pattern)
        except OSError as error:
            return self.problem(path or "/", error)
        except InvalidGlobPatternError as error:
            return str(error)
        return None

    def _is_folder(self, path: str) -> bool:
        target = self.disk.resolve(path)
        return target == self.cwd or target.is_dir()

    def _grep_file(self, pattern: str, path: str, max_count: int | None) -> GrepResult:
        """The library searches the file's whole folder where there is no ripgrep."""
        try:
            text = self.disk.read(self.disk.resolve(path)).decode("utf-8")
        except OSError as error:
            return GrepResult(error=self.problem(path, error))
        except UnicodeDecodeError:
            return GrepResult(error=f"{self.shown(path)} {NOT_TEXT}")
        lines = enumerate(as_shown(text).split("\n"), 1)
        matches = [GrepMatch(path=path, line=n, text=line) for n, line in lines if pattern in line]
        cut = max_count is not None and len(matches) > max_count
        return GrepResult(matches=matches[:max_count], truncated=cut)


def readable_info(info: FileInfo) -> FileInfo:
    return FileInfo({**info, "path": readable(info["path"])})


def readable_match(match: GrepMatch) -> GrepMatch:
    return GrepMatch({**match, "path": readable(match["path"])})
