"""`python -m handrail` is `agent`."""

from handrail.main import run

run()
