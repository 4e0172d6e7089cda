"""How a panel is laid out for calls that fit and calls that do not."""

from handrail.events import MAIN, ApprovalRequested, PendingCall, Source
from handrail.repl.approval import Approval, Asking
from handrail.repl.panel import PanelPart, Scroll, lay_out
from tests.support.screenplay import call


def asking(*, calls: int = 1, source: Source = MAIN) -> Approval:
    pending = PendingCall(call("execute", command="make"), "runs a command\non this machine")
    return Approval(ApprovalRequested(source, "a", (pending,) * calls))


def laid_out(
    approval: Approval,
    *,
    armed: bool = True,
    total: int = 5,
    width: int = 80,
    rows: int = 20,
    scroll: Scroll | None = None,
) -> PanelPart:
    return lay_out(
        approval, armed=armed, scroll=scroll or Scroll(), total=total, width=width, rows=rows
    )


def texts(part: PanelPart) -> tuple[list[str], list[str]]:
    above, below = (
        ["".join(text for _, text in line).strip() for line in lines]
        for lines in (part.above, part.below)
    )
    return above, below


def test_a_call_that_fits_is_shown_whole_above_its_answers() -> None:
    part = laid_out(asking())

    assert part.body == range(5)
    keys = "y once  s session  e edit  n no  r answer for it  v view whole  ? why"
    assert texts(part) == ([], [keys])


def test_the_answers_are_not_shown_before_they_count() -> None:
    assert texts(laid_out(asking(), armed=False)) == ([], ["…"])


def test_the_answers_take_two_lines_on_a_narrow_screen() -> None:
    _, below = texts(laid_out(asking(), width=40))

    assert below == ["y once  s session  e edit  n no", "r answer for it  v view whole  ? why"]


def test_the_title_names_a_sub_agent_and_counts_the_calls() -> None:
    approval = asking(calls=3, source=Source("researcher", "t1"))
    approval.approve_once()

    above, _ = texts(laid_out(approval))
    assert above == ["researcher asks · 2 of 3"]


def test_what_does_not_fit_is_counted_and_scrolled() -> None:
    scroll = Scroll()
    part = laid_out(asking(), total=100, rows=12, scroll=scroll)
    assert part.body == range(10)
    assert texts(part)[1][0] == "… 90 more lines below · ↑↓ scroll · v prints all of it"

    scroll.page(1)
    part = laid_out(asking(), total=100, rows=12, scroll=scroll)
    assert part.body == range(9, 19)
    assert texts(part)[1][0].startswith("… 9 more lines above, 81 more lines below")

    scroll.move(1000)
    part = laid_out(asking(), total=100, rows=12, scroll=scroll)
    assert part.body == range(90, 100)


def test_the_scroll_position_follows_a_call_that_got_shorter() -> None:
    scroll = Scroll()
    laid_out(asking(), total=100, rows=12, scroll=scroll)
    scroll.move(1000)

    assert laid_out(asking(), total=3, rows=12, scroll=scroll).body == range(3)


def test_reason_and_problem_stand_above_the_answers() -> None:
    approval = asking()
    approval.explain()
    assert texts(laid_out(approval))[1][0] == "why: runs a command␊on this machine"

    approval.begin(Asking.ANSWER)
    approval.confirm("")
    assert texts(laid_out(approval))[1][-2].startswith("Type the answer")
    assert texts(laid_out(approval))[1][-1].startswith("Enter gives this to the model")
