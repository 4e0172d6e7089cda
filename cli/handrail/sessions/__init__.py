"""Conversations: where they are kept, what the person saw, how they go on."""
