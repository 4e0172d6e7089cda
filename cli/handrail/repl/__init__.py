"""The interactive screen: input, approval panel, status line, slash commands."""
