"""The tests of the logbook."""
