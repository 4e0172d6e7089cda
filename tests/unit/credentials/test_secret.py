"""A key hides itself, and texts are freed of it."""

import copy
import json
import pickle
from dataclasses import dataclass

import pytest

from handrail.credentials.secret import Secret, origin_of, without_secrets


@dataclass
class Holder:
    secret: Secret


def test_a_secret_shows_where_it_was_found_and_nothing_else() -> None:
    secret = Secret("hidden-value-1", "the variable X")
    assert secret.reveal() == "hidden-value-1"
    assert origin_of("hidden-value-1") == "the variable X"
    for shown in (str(secret), repr(secret), f"{secret}", f"{Holder(secret)}"):
        assert "hidden-value-1" not in shown
        assert "the variable X" in shown


def test_a_secret_cannot_be_written() -> None:
    secret = Secret("hidden-value-2", "X")
    for write in (pickle.dumps, json.dumps, copy.copy):
        with pytest.raises(TypeError):
            write(secret)


def test_texts_are_freed_of_every_secret_of_the_process_the_longest_first() -> None:
    Secret("hidden-value-3", "X")
    Secret("hidden-value-3-and-more", "Y")
    assert without_secrets("<hidden-value-3-and-more|hidden-value-3>") == "<[key]|[key]>"


def test_a_placeholder_is_not_cut_out_of_words() -> None:
    Secret("none", "X")
    assert without_secrets("nonetheless") == "nonetheless"


@pytest.mark.parametrize("key", ["sk-proj-abc123DEF", "sk-ant-api03-x_y-z", "AIza" + "x" * 35])
def test_what_looks_like_a_key_is_left_out_although_nobody_knows_it(key: str) -> None:
    assert without_secrets(f"a {key}, b") == "a [key], b"


def test_ordinary_words_stay() -> None:
    text = "task-list risk-free monkey-patch key: sk-1 --api-key-file"
    assert without_secrets(text) == text
