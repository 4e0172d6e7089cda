"""The preview of a change starts from what the file holds now, on every mount."""

import pytest

from handrail.sessions.conversation import SessionChoice
from tests.support.engine_bed import Bed, Person, call, turn

MEMORY = "/memories/user/p.md"


async def test_a_memory_is_read_as_it_is_now(bed: Bed) -> None:
    rounds = [{"calls": [call("write_file", file_path=MEMORY, content="tabs\n")]}, {"say": "x"}]
    async with bed.open(rounds) as conversation:
        assert conversation.read(MEMORY) is None
        await turn(conversation, Person())
        assert conversation.read(MEMORY) == "tabs\n"
        assert conversation.read("/memories/project/p.md") is None
    async with bed.open([{"say": "x"}], choice=SessionChoice()) as conversation:
        assert conversation.read(MEMORY) == "tabs\n"


async def test_a_file_of_the_project_is_read_from_disk(bed: Bed) -> None:
    path = bed.write("a.txt", "text\r\n")
    async with bed.open([{"say": "x"}]) as conversation:
        assert conversation.read(str(path)) == "text\r\n"
        assert conversation.read(str(bed.project / "missing")) is None


async def test_notes_of_the_session_have_no_preview(bed: Bed) -> None:
    async with bed.open([{"say": "x"}]) as conversation:
        with pytest.raises(OSError, match="not previewed"):
            conversation.read("/scratch/notes.md")
