"""One run with nobody there: opens the session, runs its turns, delivers the answer."""

from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field

from handrail.errors import HandrailError
from handrail.events import Event, TurnFailed, TurnFinished, TurnStarted, Usage, UsageCounted
from handrail.exit_codes import ExitCode
from handrail.headless.ending import Ending
from handrail.headless.lines import RunEnded
from handrail.headless.nobody import Nobody
from handrail.headless.order import Order
from handrail.headless.presentation import Presentation
from handrail.prompt_files import read_prompt
from handrail.render.words import describe
from handrail.sessions.conversation import Conversation

_MENDS = 2
"""How often an answer that does not fit its schema is asked for again."""

_BY_SIGNAL = {
    ExitCode.HUNG_UP: "SIGHUP",
    ExitCode.INTERRUPTED: "SIGINT",
    ExitCode.TERMINATED: "SIGTERM",
}
_KEPT = "What was finished is kept."


@dataclass(slots=True)
class Run:
    order: Order
    shown: Presentation
    ending: Ending
    root: str
    """The project, relative to which calls are named."""
    _nobody: Nobody = field(default_factory=Nobody)
    _usage: Usage = field(default_factory=Usage)
    _answer: str | None = None

    async def work(self, prompt: str, opening: Coroutine[None, None, Conversation]) -> ExitCode:
        """Raises `HandrailError` when no session can be opened."""
        conversation = await opening
        self.ending.stops_with(conversation.stop)
        try:
            self.shown.opened(conversation, self.root)
            if conversation.unfinished:
                self.shown.tell("Calls that waited for an approval from before were not run.")
            return await self._talk(conversation, prompt)
        finally:
            await conversation.close()

    def finish(self, code: ExitCode) -> ExitCode:
        """Deliver the answer and say what has to be said; the code that the run ends with."""
        refused = self._nobody.refused
        if code is ExitCode.OK and refused:
            code = ExitCode.REFUSED
        if self._answer is not None and self.order.final is not None:
            try:
                self.order.final.write(self._answer.rstrip("\n") + "\n")
            except HandrailError as error:
                self.shown.tell(error.paragraph)
                code = ExitCode.FAILURE
        for refusal in refused:
            words = describe(refusal.call, self.root).line
            self.shown.tell(f"Refused: {words}: {refusal.reason}.")
        if reason := self._reason(code):
            self.shown.tell(f"{reason} {_KEPT}")
        self.shown.ended(RunEnded(int(code), self._answer, tuple(refused)))
        return code

    async def _talk(self, conversation: Conversation, prompt: str) -> ExitCode:
        schema = self.order.schema
        text = prompt if schema is None else _with_prompt(prompt, "answer_schema", schema.text)
        for _ in range(1 + _MENDS):
            last = await self._turn(conversation.run(text, self._nobody.decide))
            if not isinstance(last, TurnFinished):
                return ExitCode.FAILURE if isinstance(last, TurnFailed) else ExitCode.CAPPED
            if schema is None:
                self._answer = last.text
                return ExitCode.OK
            checked = schema.check(last.text)
            if not checked.problems:
                self._answer = checked.text
                return ExitCode.OK
            problems = "\n".join(checked.problems)
            self.shown.tell(f"The answer does not fit the schema. {problems}")
            text = f"{read_prompt('answer_mismatch')}\n\n{problems}"
        return ExitCode.ANSWER

    async def _turn(self, events: AsyncIterator[Event]) -> Event | None:
        last: Event | None = None
        async for last in events:
            self.shown.event(last)
            self._nobody.see(last)
            if isinstance(last, UsageCounted):
                self._usage.add(last)
            elif isinstance(last, TurnStarted):
                self.ending.stop_again()
        return last

    def tell_lost_output(self) -> None:
        """A reader that left needs no words, a full disk does."""
        error = self.ending.error
        if error is not None and not isinstance(error, BrokenPipeError):
            self.shown.tell(f"The output cannot be written: {error.strerror}. {_KEPT}")

    def _reason(self, code: ExitCode) -> str:
        if code in _BY_SIGNAL:
            return f"Stopped by {_BY_SIGNAL[code]}."
        return f"Stopped: {self._cap()} is reached." if code is ExitCode.CAPPED else ""

    def _cap(self) -> str:
        caps = self.order.caps
        if self.ending.code is ExitCode.CAPPED:
            return f"--max-seconds {self.order.seconds:g}"
        if caps.rounds is not None and self._usage.requests >= caps.rounds:
            return f"--max-rounds {caps.rounds}"
        return f"--max-tokens {caps.tokens}"


def _with_prompt(message: str, name: str, material: str) -> str:
    return f"{message}\n\n{read_prompt(name)}\n\n{material}"
