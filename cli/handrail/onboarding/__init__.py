"""The screen on which a person stores a key and chooses a model."""
