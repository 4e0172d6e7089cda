"""Where work happens: files, shells and memory. Knows no terminal and no application."""
