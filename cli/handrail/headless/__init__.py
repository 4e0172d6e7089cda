"""What needs no screen: turns as plain lines or JSON lines, and whole runs with nobody there."""
