"""Builds and drives the agent; with `handrail_backends` the only part that knows the framework."""
