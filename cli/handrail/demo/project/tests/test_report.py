"""The report."""

import unittest

from logbook.parse import parse_line
from logbook.report import slow, summary

LINES = [
    "2025-03-14 09:26:53 INFO GET /tea 200 took=250ms",
    "2025-03-14 09:27:10 INFO GET /search 200 took=1250ms",
    "2025-03-14 09:27:41 ERROR GET /search 503 took=3000ms",
]


class Report(unittest.TestCase):
    def setUp(self):
        self.entries = [parse_line(line) for line in LINES]

    def test_the_slowest_comes_first(self):
        self.assertEqual([entry.milliseconds for entry in slow(self.entries)], [3000.0, 1250.0])

    def test_the_summary_counts(self):
        expected = "3 requests, 1 failed, 2 took longer than a second"
        self.assertEqual(summary(self.entries), expected)
