"""The demo: the real agent on a small packaged project, only the model's words are recorded."""
