"""Reads the request log of a small web shop and reports what was slow."""
