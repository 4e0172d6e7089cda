"""Writes the schema of the lines of `agent -p --output jsonl` anew, after a change of events."""

from handrail.headless.schema import SCHEMA_FILE, schema_text

if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
