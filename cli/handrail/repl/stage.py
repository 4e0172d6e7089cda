"""Everything the screen shows, in one place: layout and keys read it, the loop changes it."""

from dataclasses import dataclass, field

from handrail.render.status_line import StatusLine
from handrail.repl.desk import ApprovalDesk
from handrail.repl.inputs import Inputs
from handrail.repl.live import Live
from handrail.repl.outbox import Outbox
from handrail.repl.panel import Scroll
from handrail.repl.printer import Printer


@dataclass(slots=True)
class Stage:
    root: str
    desk: ApprovalDesk
    inputs: Inputs
    printer: Printer
    status: StatusLine
    live: Live = field(default_factory=Live)
    outbox: Outbox = field(default_factory=Outbox)
    scroll: Scroll = field(default_factory=Scroll)
    hint: str = ""
    """One line above the input, until the next key."""
    note: str = ""
    """The same, for as long as it is true."""
