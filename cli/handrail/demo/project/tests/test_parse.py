"""Lines and durations."""

import unittest
from datetime import datetime

from logbook.parse import Entry, milliseconds, parse_line


class ParseLine(unittest.TestCase):
    def test_a_line_is_read(self):
        line = "2025-03-14 09:26:53 INFO GET /tea 200 took=250ms"
        time = datetime(2025, 3, 14, 9, 26, 53)
        self.assertEqual(parse_line(line), Entry(time, "INFO", "GET", "/tea", 200, 250.0))

    def test_anything_else_is_refused(self):
        with self.assertRaises(ValueError):
            parse_line("the kettle is on")


class Milliseconds(unittest.TestCase):
    def test_milliseconds_stay_as_they_are(self):
        self.assertEqual(milliseconds("250ms"), 250.0)

    def test_seconds_count_a_thousand(self):
        self.assertEqual(milliseconds("1.5s"), 1500.0)
