"""Tests of the scratch repository and the home of the terminal tests."""

import subprocess

from tests.support.scratch import FIXED, RUN_TESTS, AgentHome, ScratchRepo


def run_tests(repo: ScratchRepo, home: AgentHome) -> str:
    done = subprocess.run(
        RUN_TESTS.split(),
        cwd=repo.root,
        env=home.env(),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr


def test_the_scratch_repository_has_one_fault_that_its_test_finds(
    scratch_repo: ScratchRepo, agent_home: AgentHome
) -> None:
    assert scratch_repo.git("status", "--porcelain") == ""
    assert "AssertionError: 14 != 12" in run_tests(scratch_repo, agent_home)
    scratch_repo.source.write_text(FIXED)
    assert "OK" in run_tests(scratch_repo, agent_home)
    assert scratch_repo.git("status", "--porcelain") == " M shapes.py\n"


def test_the_environment_holds_nothing_of_the_person_who_runs_the_tests(
    agent_home: AgentHome,
) -> None:
    env = agent_home.env(OPENAI_API_KEY="x")
    assert set(env) == {"HANDRAIL_HOME", "HOME", "LANG", "OPENAI_API_KEY", "PATH", "TERM"}
    assert env["HOME"] == str(agent_home.folder)
