"""The status line at different widths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.events import (
    MAIN,
    ArgumentsTruncated,
    ContextMeasured,
    Event,
    HistoryOffloaded,
    ResultOffloaded,
    Source,
    SummaryFinished,
    SummaryStarted,
    UsageCounted,
)
from handrail.render.fit import cells
from handrail.render.status_line import StatusLine

HISTORY = "/scratch/conversation_history/session_ab12cd34.md"
RESULT = "/scratch/large_tool_results/c7"
MEASURED = ContextMeasured(MAIN, 82_000, None)
USED = UsageCounted(MAIN, 12_345, 1_200)
SUMMARY: list[Event] = [
    SummaryStarted(MAIN, 41),
    HistoryOffloaded(MAIN, 41, HISTORY),
    SummaryFinished(MAIN, 41, "text"),
]
OFFLOAD = ResultOffloaded(MAIN, "c7", RESULT, 212_000)


def line_after(*events: Event, model: str = "anthropic:claude-sonnet-4-5") -> StatusLine:
    line = StatusLine(model, 200_000)
    for event in events:
        line.update(event)
    return line


def test_before_anything_happened_it_says_who_and_where() -> None:
    assert line_after().text(80) == (" ask  anthropic:claude-sonnet-4-5  host  context - of 200k  ")
    assert StatusLine("script:/a/long/way/demo.yaml").text(80) == (
        " ask  script:demo.yaml  host  context -  "
    )


def test_at_120_columns_everything_fits() -> None:
    line = line_after(MEASURED, USED, OFFLOAD, model="openai:gpt-5.4")

    assert line.text(120) == (
        " ask  openai:gpt-5.4  host  context 41% of 200k  12.3k in 1.2k out"
        "  offloaded 212 kB -> /scratch/large_tool_results/c7"
    )
    assert line_after(MEASURED, USED, *SUMMARY).text(120) == (
        " ask  claude-sonnet-4-5  host  context 41%"
        "  summarised 41 messages -> /scratch/conversation_history/session_ab12cd34.md"
    )


def test_at_80_columns_the_end_of_the_path_is_there() -> None:
    assert line_after(MEASURED, USED, OFFLOAD).text(80) == (
        " ask  claude-sonnet-4-5  host  context 41%  offloaded 212 kB -> /scratch/lar…/c7"
    )
    assert line_after(MEASURED, USED, *SUMMARY).text(80) == (
        " ask  claude-sonn…  host  41%  summarised 41 messages -> /s…/session_ab12cd34.md"
    )


@pytest.mark.parametrize("width", [30, 40, 60])
def test_below_that_the_path_is_the_last_to_go(width: int) -> None:
    assert line_after(MEASURED, USED, *SUMMARY).text(width).endswith("session_ab12cd34.md")


@pytest.mark.parametrize(
    ("events", "shown"),
    [
        ([SummaryStarted(MAIN, 1)], ("summarising 1 message", "")),
        (SUMMARY, ("summarised 41 messages", HISTORY)),
        ([SUMMARY[1], SUMMARY[0], SUMMARY[2]], ("summarised 41 messages", HISTORY)),
        ([SUMMARY[0], SUMMARY[2], SUMMARY[1]], ("summarised 41 messages", HISTORY)),
        (SUMMARY[:2], ("offloaded 41 messages", HISTORY)),
        ([SUMMARY[1], SummaryFinished(MAIN, 9, "")], ("summarised 9 messages", "")),
        (
            [HistoryOffloaded(MAIN, 2, None)],
            ("could not keep 2 messages in a file", ""),
        ),
        ([OFFLOAD, MEASURED, USED], ("offloaded 212 kB", RESULT)),
        ([ArgumentsTruncated(MAIN, ("a", "b"))], ("left out long arguments of 2 old calls", "")),
    ],
)
def test_the_last_thing_that_happened_to_the_context_stays(
    events: list[Event], shown: tuple[str, str]
) -> None:
    assert line_after(*events).event == shown


def test_the_context_of_a_sub_agent_is_not_the_session_s_but_its_tokens_count() -> None:
    helper = Source("explore", "t1")
    line = line_after(MEASURED, ContextMeasured(helper, 9, 10), USED, UsageCounted(helper, 1, 1))

    assert line.text(120) == (
        " ask  anthropic:claude-sonnet-4-5  host  context 41% of 200k  12.3k in 1.2k out  "
    )
    assert line.usage.input == 12_346


def test_an_unknown_window_leaves_the_tokens() -> None:
    line = StatusLine("openai:x")
    line.update(MEASURED)

    assert line.text(80) == " ask  openai:x  host  context 82k  "


def test_a_nearly_full_context_has_a_style_of_its_own() -> None:
    styles = [style for style, _ in line_after(ContextMeasured(MAIN, 170_000, None)).fragments(80)]

    assert "class:status class:status.full" in styles


def test_mode_and_sandbox_can_be_changed() -> None:
    line = line_after()
    line.mode, line.sandbox, line.model = "plan", "docker", "openai:y"

    assert line.text(80) == " plan  openai:y  docker  context - of 200k  "


def test_wide_characters_and_control_characters_are_counted_and_shown() -> None:
    line = line_after(MEASURED, ResultOffloaded(MAIN, "c", "/scratch/漢字漢字/\x1b[2J字.txt", 10))

    assert line.text(60) == (" ask  host  41%  offloaded 10 bytes -> /scratch/…/␛[2J字.txt")


@given(st.text(max_size=60), st.text(max_size=200), st.integers(1, 150))
def test_it_is_never_wider_than_the_terminal(model: str, path: str, width: int) -> None:
    line = line_after(MEASURED, USED, ResultOffloaded(MAIN, "c", path, 10), model=model)

    assert cells(line.text(width)) <= width
