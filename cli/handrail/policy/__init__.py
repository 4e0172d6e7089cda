"""Call in, verdict out: what may run, what asks, what never runs. Pure, no I/O."""

from handrail.policy.table import Policy
from handrail.policy.verdict import Judgement, Verdict

__all__ = ["Judgement", "Policy", "Verdict"]
