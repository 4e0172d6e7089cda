"""From events to what a terminal shows: the one sanitiser, the one theme."""
