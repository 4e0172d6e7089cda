"""The command `agent`, as a process of its own."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from handrail import __version__
from handrail.exit_codes import ExitCode
from handrail.places import find_places
from handrail.sessions.index import SessionIndex
from tests.support.scratch import AGENT, AgentHome

HEAVY = ("deepagents", "langchain", "langchain_core", "langgraph", "pydantic", "prompt_toolkit")


@dataclass
class Done:
    code: int
    out: str
    err: str


@dataclass
class Person:
    """Somebody with a home who stands in a project."""

    home: AgentHome
    project: Path

    def agent(self, *arguments: str, **extra: str) -> Done:
        return self.run(str(AGENT), *arguments, **extra)

    def python(self, code: str, *arguments: str, **extra: str) -> Done:
        return self.run(sys.executable, "-c", code, *arguments, **extra)

    def run(self, *argv: str, **extra: str) -> Done:
        done = subprocess.run(
            argv,
            cwd=self.project,
            env=self.home.env(**extra),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def remember(self, title: str, project: Path | None = None) -> str:
        """The id of a session with this title."""
        with SessionIndex.open(find_places({"HANDRAIL_HOME": str(self.home.data)})) as index:
            return index.create(project or self.project, "script:x.yaml", title=title).id


@pytest.fixture
def person(tmp_path: Path) -> Person:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return Person(AgentHome(tmp_path / "home"), (tmp_path / "project").resolve())


@pytest.mark.parametrize(
    "argv",
    [[str(AGENT)], [str(AGENT.with_name("handrail"))], [sys.executable, "-m", "handrail"]],
    ids=["agent", "handrail", "module"],
)
def test_every_name_of_the_command_tells_the_version(person: Person, argv: list[str]) -> None:
    assert person.run(*argv, "--version") == Done(0, f"handrail {__version__}\n", "")


LOADED = """
import sys
from handrail.main import run
try:
    run()
finally:
    loaded = {name.partition(".")[0] for name in sys.modules}
    sys.stderr.write("loaded: " + " ".join(sorted(loaded & set(sys.argv[-1].split(",")))))
"""


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["-h"], ["config", "--help"]])
def test_version_and_help_load_no_framework_and_no_screen(
    person: Person, arguments: list[str]
) -> None:
    code = LOADED.replace("sys.argv[-1]", repr(",".join((*HEAVY, "rich", "sqlite3"))))
    done = person.python(code, *arguments)
    assert (done.code, done.err) == (0, "loaded: ")


def test_settings_and_sessions_load_no_framework_and_no_screen(person: Person) -> None:
    code = LOADED.replace("sys.argv[-1]", repr(",".join(HEAVY)))
    assert person.python(code, "config", "show").err == "loaded: "
    assert person.python(code, "auth", "--list").err == "loaded: "
    assert person.python(code, "sessions").err == "loaded: "


def test_an_answer_without_a_screen_loads_no_screen_and_no_framework_before_it_is_needed(
    person: Person,
) -> None:
    code = LOADED.replace("sys.argv[-1]", repr(",".join((*HEAVY, "jsonschema"))))
    done = person.python(code, "-p", "--model", "openai:x")
    assert (done.code, done.err.rpartition("loaded: ")[2]) == (2, "")


def test_every_exit_code_is_in_the_readme() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Exit codes")[2].partition("##")[0]
    codes = re.findall(r"\d+", " ".join(re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE)))
    assert sorted(map(int, codes)) == sorted(ExitCode)


def test_help_shows_options_commands_and_that_words_are_a_message(person: Person) -> None:
    done = person.agent("--help")
    assert (done.code, done.err) == (0, "")
    for expected in (
        "[MESSAGE]...",
        "--model PROVIDER:MODEL",
        "-c, --continue",
        "-p, --print",
        "demo",
    ):
        assert expected in done.out


def test_with_nothing_configured_one_screen_says_what_to_set(person: Person) -> None:
    done = person.agent("fix", "it")
    assert (done.code, done.out) == (4, "")
    for expected in (
        "agent auth",
        "export ANTHROPIC_API_KEY=...",
        "agent --model anthropic:",
        "--base-url http://localhost:8000/v1",
        "~/handrail/config.toml",
        "agent demo",
    ):
        assert expected in done.err
    lines = done.err.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80


def test_a_key_that_is_set_is_put_to_use_in_the_example(person: Person) -> None:
    done = person.agent(OPENAI_API_KEY="hunter2")
    assert done.code == 4
    assert "OPENAI_API_KEY is set, so this works at once:" in done.err
    assert "agent --model openai:" in done.err
    assert "hunter2" not in done.err


def test_without_a_terminal_nothing_starts(person: Person) -> None:
    assert person.agent("--model", "openai:x") == Done(
        8,
        "",
        "`agent` talks to a person, but input or output is no terminal. Nothing was started."
        " Start it in a terminal; `agent -p` and `agent demo` work without one.\n",
    )


def test_settings_are_shown_with_their_origins(person: Person) -> None:
    person.home.configure("[shell]\ntimeout_s = 30\n")
    done = person.agent("--model", "openai:x", "config", "show", HANDRAIL_CONTEXT_KEEP="0.2")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert 'model.name = "openai:x"  (--model)' in lines
    assert "context.keep = 0.2  (HANDRAIL_CONTEXT_KEEP)" in lines
    assert f"shell.timeout_s = 30  ({person.home.data}/config.toml)" in lines


def test_settings_are_shown_to_programs_as_json_and_notices_stay_out_of_it(person: Person) -> None:
    (person.project / ".handrail").mkdir()
    (person.project / ".handrail" / "config.toml").write_text('model.base_url = "http://x"')
    done = person.agent("config", "show", "--json")
    assert json.loads(done.out)["shell.timeout_s"] == {"value": 120, "origin": "built in"}
    assert done.err.startswith("model.base_url in the project's .handrail/config.toml was ignored")


def test_the_path_of_the_settings_is_told(person: Person) -> None:
    assert person.agent("config", "path") == Done(0, f"{person.home.data}/config.toml\n", "")


def test_sessions_are_listed_and_their_titles_obey_nothing(person: Person, tmp_path: Path) -> None:
    assert person.agent("sessions").out == f"There are no sessions in {person.project} yet.\n"
    mine = person.remember("a[/] [bold]fix")
    other = person.remember("elsewhere", tmp_path)
    assert person.agent("sessions").out == f"{mine}  just now  a[/] [bold]fix\n"
    assert person.agent("sessions", "--all").out == (
        f"{other}  just now  {tmp_path}  elsewhere\n"
        f"{mine}  just now  {person.project}  a[/] [bold]fix\n"
    )


def test_a_session_to_go_on_with_must_be_there_and_be_of_this_project(
    person: Person, tmp_path: Path
) -> None:
    other = person.remember("elsewhere", tmp_path)
    assert person.agent("--continue") == Done(
        6, "", f"There is no session to continue in {person.project}. Start one with: agent\n"
    )
    assert person.agent("--resume", "nothing").code == 6
    assert person.agent("--resume", other) == Done(
        6,
        "",
        f"The session {other} belongs to the project {tmp_path}. Nothing was changed."
        f" Resume it there with: cd {tmp_path} && agent --resume {other}\n",
    )


def test_a_session_goes_on_with_its_model_although_none_is_configured(person: Person) -> None:
    mine = person.remember("fix")
    assert person.agent("--resume", mine[:8]).code == 8
    assert person.agent("-c").code == 8


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--bogus"], 2, "No such option: --bogus"),
        (["fix", "--bogus"], 2, "No such option: --bogus"),
        (["--model"], 2, "Option '--model' requires an argument"),
        (["--model", "x"], 2, "The option --model is 'x'; expected a text like"),
        (["-c", "--resume", "x"], 2, "--continue and --resume exclude each other"),
        (["-c", "sessions"], 2, "--continue and --resume are for sessions"),
        (["confg"], 2, "Did you mean `agent config`?"),
        (["config", "shwo"], 2, "No such command 'shwo'"),
    ],
)
def test_a_wrong_command_line_is_refused_in_words(
    person: Person, arguments: list[str], code: int, words: str
) -> None:
    done = person.agent(*arguments)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert "Traceback" not in done.err


def test_a_wrong_settings_file_is_told_in_a_paragraph(person: Person) -> None:
    person.home.configure("[model]\nnmae = 'x:y'\n")
    done = person.agent("config", "show")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        f"In {person.home.data}/config.toml, there is no setting model.nmae."
        " Did you mean model.name?\n"
    )


def test_a_home_that_cannot_be_used_is_told_in_a_paragraph(person: Person) -> None:
    person.home.data.write_text("a file in the place of the folder")
    done = person.agent("sessions")
    assert (done.code, done.out) == (7, "")
    assert done.err.startswith(
        f"The data folder {person.home.data} cannot be created: File exists."
    )


def test_an_unreadable_index_is_moved_aside_with_a_notice(person: Person) -> None:
    person.remember("lost")
    (person.home.data / "user.db").write_bytes(b"junk" * 1000)
    done = person.agent("sessions")
    assert (done.code, done.out) == (0, f"There are no sessions in {person.project} yet.\n")
    assert re.fullmatch(r"The database .*/user\.db cannot be read\. It was kept as .*\n", done.err)


def test_messages_obey_nothing_that_stands_in_a_name(person: Person) -> None:
    done = person.agent("config", "show", HANDRAIL_MODEL="x\x1b[2J\u202e")
    assert done.code == 3
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err


CRASH = """
import handrail.ground
from handrail.main import run

def fail():
    raise {error}

handrail.ground.find_ground = fail
run()
"""


def test_an_error_of_its_own_leaves_a_private_report_and_no_traceback(person: Person) -> None:
    done = person.python(CRASH.format(error="ValueError('told only in the report')"), "sessions")
    (report,) = (person.home.data / "crashes").iterdir()
    assert done == Done(
        1,
        "",
        "Handrail stopped because of an error of its own (ValueError). Finished turns are kept."
        f" A report for the developers is in {report}.\n",
    )
    text = report.read_text()
    assert f"Handrail {__version__}, Python 3." in text
    assert "ValueError: told only in the report" in text
    assert report.stat().st_mode & 0o777 == 0o600


def test_an_error_of_its_own_without_a_home_is_still_told(person: Person) -> None:
    person.home.data.write_text("a file in the place of the folder")
    done = person.python(CRASH.format(error="ValueError"), "sessions")
    assert done.code == 1
    assert done.err.endswith("The report of it could not be written.\n")
    assert "Traceback" not in done.err


def test_an_interrupt_ends_it_quietly(person: Person) -> None:
    assert person.python(CRASH.format(error="KeyboardInterrupt"), "sessions") == Done(130, "", "")


def test_nobody_reading_the_output_is_no_error(person: Person) -> None:
    for arguments in (["config", "show"], ["--help"], ["--version"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [str(AGENT), *arguments],
            cwd=person.project,
            env=person.home.env(),
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(writing)
        assert done.stderr == ""
        assert done.returncode in {1, -signal.SIGPIPE}


def test_a_closed_output_is_no_error(person: Person) -> None:
    done = person.run("sh", "-c", f"exec {AGENT} config show >&- 2>&1")
    assert "Traceback" not in done.err + done.out


def test_a_full_disk_is_told(person: Person) -> None:
    done = person.run("sh", "-c", f"exec {AGENT} config show >/dev/full")
    assert done.code == 1
    assert done.err == "The output cannot be written: No space left on device.\n"


ENVIRONMENT = """
import os
from handrail.main import run
try:
    run()
except SystemExit:
    print(sorted(name for name in os.environ if name.startswith("LANG")))
"""


def test_tracing_variables_are_gone_before_anything_is_done(person: Person) -> None:
    tracing = {
        "LANGSMITH_TRACING": "true",
        "LANGCHAIN_TRACING_V2": "true",
        "LANGSMITH_API_KEY": "k",
    }
    done = person.python(ENVIRONMENT, "--version", **tracing)
    assert done.out.splitlines()[-1] == "['LANG']"


def test_a_shell_can_complete_the_commands(person: Person) -> None:
    done = person.agent(
        _AGENT_COMPLETE="complete_bash", COMP_WORDS="agent ", COMP_CWORD="1", COMP_LINE="agent "
    )
    assert {"auth", "demo", "config", "sessions"} <= set(done.out.split())


def test_a_shell_can_complete_the_providers(person: Person) -> None:
    done = person.agent(
        _AGENT_COMPLETE="complete_bash",
        COMP_WORDS="agent auth ",
        COMP_CWORD="2",
        COMP_LINE="agent auth ",
    )
    assert done.out.split() == ["anthropic", "openai", "google_genai"]


def test_a_shell_can_complete_the_forms_of_output(person: Person) -> None:
    words = "agent -p --output "
    done = person.agent(_AGENT_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD="3")
    assert done.out.split() == ["text", "jsonl"]


def test_what_libraries_log_and_warn_stays_off_the_screen(tmp_path: Path) -> None:
    program = (
        "import asyncio, logging, sys, warnings\n"
        "sys.argv = ['agent', 'config', 'path']\n"
        "from handrail import main\n"
        "from handrail.engine.assemble import _keep_logs_off_the_screen as keep\n"
        "try:\n    main.run()\nexcept SystemExit:\n    pass\n"
        "keep()\n"
        "logging.getLogger('library').error('logged')\n"
        "warnings.warn('warned')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"HANDRAIL_HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
