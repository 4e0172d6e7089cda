"""What commands see of the user's environment."""

import re
from pathlib import Path

import pytest

from handrail_backends.environment import DEFAULT_PATH, command_environment
from handrail_backends.variables import NAMES, NOBODY_ANSWERS

SECRETS = {
    "ANTHROPIC_API_KEY": "sk-1",
    "OPENAI_API_KEY": "sk-2",
    "GITHUB_TOKEN": "t",
    "GH_TOKEN": "t",
    "NPM_TOKEN": "t",
    "AWS_ACCESS_KEY_ID": "a",
    "AWS_SECRET_ACCESS_KEY": "s",
    "AWS_PROFILE": "p",
    "DATABASE_URL": "postgres://u:p@h/d",
    "PGPASSWORD": "p",
    "SSH_AUTH_SOCK": "/run/agent",
    "LANGSMITH_API_KEY": "l",
    "HANDRAIL_HOME": "/h",
    "BASH_ENV": "/evil.sh",
    "LD_PRELOAD": "/evil.so",
    "PYTHONSTARTUP": "/evil.py",
    "GIT_SSH_COMMAND": "evil",
    "PS1": "$",
}
HARMLESS = {"HOME": "/home/u", "LANG": "C.UTF-8", "LC_ALL": "C", "GOPATH": "/go", "TZ": "UTC"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def test_only_what_is_on_the_list_passes(project: Path) -> None:
    environ = {**SECRETS, **HARMLESS, "PATH": "/usr/bin:/bin", "MY_OWN": "1"}
    assert command_environment(environ, project=project) == {
        **HARMLESS,
        "PATH": "/usr/bin:/bin",
        **NOBODY_ANSWERS,
    }


def test_no_name_on_the_list_sounds_like_a_secret() -> None:
    secret = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH(?!OR)|DATABASE_URL|COOKIE|PRELOAD")
    assert [name for name in NAMES if secret.search(name.upper())] == []


def test_what_the_user_names_passes_whatever_it_holds(project: Path) -> None:
    environ = {**SECRETS, "PATH": "/bin", "EDITOR": "vi", "HTTPS_PROXY": "http://u:p@proxy:1"}
    extra = ["GITHUB_TOKEN", "EDITOR", "HTTPS_PROXY", "NOT_THERE"]
    assert command_environment(environ, project=project, extra=extra) == {
        **NOBODY_ANSWERS,
        "PATH": "/bin",
        "GITHUB_TOKEN": "t",
        "EDITOR": "vi",
        "HTTPS_PROXY": "http://u:p@proxy:1",
    }


@pytest.mark.parametrize(
    ("value", "passes"),
    [
        ("http://proxy.example:3128", True),
        ("http://user:word@proxy.example:3128", False),
        ("https://pypi.example/simple", True),
        ("https://a.example/x https://token@b.example/y", False),
    ],
)
def test_an_address_passes_only_without_credentials(
    project: Path, value: str, passes: bool
) -> None:
    made = command_environment({"https_proxy": value, "PIP_INDEX_URL": value}, project=project)
    assert ("https_proxy" in made, "PIP_INDEX_URL" in made) == (passes, passes)


def test_relative_entries_of_the_path_are_left_out(project: Path) -> None:
    environ = {"PATH": "/usr/bin::.:node_modules/.bin:~/bin:/opt/bin"}
    assert command_environment(environ, project=project)["PATH"] == "/usr/bin:/opt/bin"
    assert command_environment({}, project=project)["PATH"] == DEFAULT_PATH


def venv_environ(venv: Path, **more: str) -> dict[str, str]:
    return {"PATH": f"{venv}/bin:/usr/bin", "VIRTUAL_ENV": str(venv), **more}


def test_the_programs_own_venv_is_hidden(project: Path, tmp_path: Path) -> None:
    venv = tmp_path / "tool"
    (venv / "bin").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(venv)
    for named in (venv, tmp_path / "alias"):
        made = command_environment(venv_environ(named), project=project, own_venv=venv)
        assert made["PATH"] == "/usr/bin"
        assert "VIRTUAL_ENV" not in made


def test_the_programs_own_venv_stays_when_the_user_activated_it(
    project: Path, tmp_path: Path
) -> None:
    venv = tmp_path / "tool"
    environ = venv_environ(venv, VIRTUAL_ENV_PROMPT="(tool) ")
    made = command_environment(environ, project=project, own_venv=venv)
    assert (made["PATH"], made["VIRTUAL_ENV"]) == (f"{venv}/bin:/usr/bin", str(venv))


def test_a_venv_of_the_project_stays(project: Path) -> None:
    venv = project / ".venv"
    made = command_environment(venv_environ(venv), project=project, own_venv=venv)
    assert (made["PATH"], made["VIRTUAL_ENV"]) == (f"{venv}/bin:/usr/bin", str(venv))


def test_another_venv_the_user_activated_stays(project: Path, tmp_path: Path) -> None:
    tool, mine = tmp_path / "tool", tmp_path / "mine"
    environ = {
        "PATH": f"{mine}/bin:{tool}/bin:/usr/bin",
        "VIRTUAL_ENV": str(mine),
        "VIRTUAL_ENV_PROMPT": "(mine) ",
    }
    made = command_environment(environ, project=project, own_venv=tool)
    assert (made["PATH"], made["VIRTUAL_ENV"]) == (f"{mine}/bin:/usr/bin", str(mine))
