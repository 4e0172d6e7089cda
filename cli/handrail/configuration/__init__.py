"""Reads the settings from their layers and knows where each value came from."""
