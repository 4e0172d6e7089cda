"""Previews of changes: exactly what the call will do to the file, with line numbers."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from handrail.events import Call
from handrail.render.diff import DiffLine, FileDiff, FileReader, NoPreview, compare, preview

PATH = "/p/a.py"


def call(name: str, **args: object) -> Call:
    return Call("c1", name, {"file_path": PATH, **args})


def read_from(files: Mapping[str, str]) -> FileReader:
    return files.get


def same(number: int, text: str) -> DiffLine:
    return DiffLine("same", number, text)


def added(number: int, text: str) -> DiffLine:
    return DiffLine("added", number, text)


def removed(number: int, text: str) -> DiffLine:
    return DiffLine("removed", number, text)


def numbered(count: int) -> str:
    return "".join(f"line {n}\n" for n in range(1, count + 1))


def test_an_edit_is_shown_with_three_lines_around_it() -> None:
    edit = call("edit_file", old_string="line 5\n", new_string="five\nand more\n")

    assert preview(edit, read_from({PATH: numbered(10)})) == FileDiff(
        PATH,
        (
            same(2, "line 2"),
            same(3, "line 3"),
            same(4, "line 4"),
            removed(5, "line 5"),
            added(5, "five"),
            added(6, "and more"),
            same(7, "line 6"),
            same(8, "line 7"),
            same(9, "line 8"),
        ),
        added=2,
        removed=1,
    )


def test_every_place_of_a_replaced_text_is_shown_and_the_gap_between_is_counted() -> None:
    old = "x = 1\n" + numbered(10) + "x = 1\n"
    edit = call("edit_file", old_string="x = 1", new_string="x = 2", replace_all=True)

    assert preview(edit, read_from({PATH: old})) == FileDiff(
        PATH,
        (
            removed(1, "x = 1"),
            added(1, "x = 2"),
            same(2, "line 1"),
            same(3, "line 2"),
            same(4, "line 3"),
            DiffLine("gap", 4, ""),
            same(9, "line 8"),
            same(10, "line 9"),
            same(11, "line 10"),
            removed(12, "x = 1"),
            added(12, "x = 2"),
        ),
        added=2,
        removed=2,
    )


def test_a_gap_of_one_line_is_shown_instead() -> None:
    old = "x\n" + numbered(7) + "x\n"
    edit = call("edit_file", old_string="x", new_string="y", replace_all=True)

    diff = preview(edit, read_from({PATH: old}))

    assert isinstance(diff, FileDiff)
    assert [line.text for line in diff.lines if line.kind == "same"] == numbered(7).splitlines()
    assert "gap" not in {line.kind for line in diff.lines}


def test_an_edit_of_a_file_with_crlf_shows_no_carriage_returns() -> None:
    edit = call("edit_file", old_string="b\nc", new_string="b\nC\nd")

    assert preview(edit, read_from({PATH: "a\r\nb\r\nc\r\n"})) == FileDiff(
        PATH,
        (same(1, "a"), same(2, "b"), removed(3, "c"), added(3, "C"), added(4, "d")),
        added=2,
        removed=1,
    )


def test_a_write_that_changes_the_line_ends_says_so_and_shows_the_other_changes() -> None:
    write = call("write_file", content="a\nB\n")

    assert preview(write, read_from({PATH: "a\r\nb\r\n"})) == FileDiff(
        PATH,
        (same(1, "a"), removed(2, "b"), added(2, "B")),
        added=1,
        removed=1,
        note="line ends CRLF to LF",
    )


def test_a_carriage_return_in_the_middle_of_a_file_is_kept() -> None:
    diff = compare(PATH, "a\nb\n", "a\nb\r\n")

    assert diff.lines == (same(1, "a"), removed(2, "b"), added(2, "b\r"))


def test_a_new_file_and_a_deleted_one_are_shown_whole() -> None:
    text = numbered(200)

    new = preview(call("write_file", content=text), read_from({}))
    gone = preview(call("delete"), read_from({PATH: text}))

    assert isinstance(new, FileDiff)
    assert (new.added, new.removed, new.note, len(new.lines)) == (200, 0, "new file", 200)
    assert isinstance(gone, FileDiff)
    assert (gone.added, gone.removed, gone.note) == (0, 200, "deletes the file")
    assert gone.lines[-1] == removed(200, "line 200")


def test_a_new_file_with_crlf_says_so() -> None:
    assert preview(call("write_file", content="a\r\n"), read_from({})) == FileDiff(
        PATH, (added(1, "a"),), added=1, removed=0, note="new file, line ends CRLF"
    )


def test_the_newline_at_the_end_is_spoken_of() -> None:
    assert compare(PATH, "a\n", "a").note == "no newline at the end"
    assert compare(PATH, "a", "a\n").note == "adds the newline at the end"
    assert compare(PATH, "a\n", "a\n").note == "changes nothing"


def test_only_newlines_separate_lines() -> None:
    diff = compare(PATH, "a\x0bb\u2028c\x85d\n", "")

    assert diff.lines == (removed(1, "a\x0bb\u2028c\x85d"),)


def test_what_cannot_be_previewed_says_why() -> None:
    files = read_from({PATH: "a\na\n"})
    edit = call("edit_file", old_string="a", new_string="b")

    assert preview(edit, files) == NoPreview(
        "The old text is there 2 times. Give more of the lines around it,"
        " or set replace_all to change every one."
    )
    assert preview(edit, read_from({})) == NoPreview("there is no such file")
    assert preview(call("delete"), read_from({})) == NoPreview("there is no such file")
    assert preview(call("edit_file"), files) == NoPreview("does not say what to replace")
    assert preview(call("write_file", content=3), files) == NoPreview("does not say what to write")
    assert preview(Call("c1", "execute", {}), files) == NoPreview("changes no file")
    assert preview(Call("c1", "delete", {"file_path": 3}), files) == NoPreview("changes no file")


def test_a_file_that_is_no_text_is_never_taken_for_a_new_one() -> None:
    def read(path: str) -> str | None:
        return b"\xff".decode("utf-8") + path

    assert preview(call("write_file", content="x"), read) == NoPreview(
        "what is there cannot be shown as text"
    )


@given(st.text("ab\r\n"), st.text("ab\r\n"))
def test_the_counts_are_those_of_the_lines_and_both_texts_can_be_read_off(
    old: str, new: str
) -> None:
    diff = compare(PATH, old, new, context=1000)
    kinds = [line.kind for line in diff.lines]

    assert (diff.added, diff.removed) == (kinds.count("added"), kinds.count("removed"))
    if diff.lines:
        assert shown(diff, "removed") in possible(old)
        assert shown(diff, "added") in possible(new)


def shown(diff: FileDiff, kind: str) -> list[str]:
    return [line.text for line in diff.lines if line.kind in {"same", kind}]


def possible(text: str) -> list[list[str]]:
    """The lines of a text, with and without the carriage returns of its line ends."""
    texts = [text, text.replace("\r\n", "\n")]
    return [one.removesuffix("\n").split("\n") if one else [] for one in texts]
