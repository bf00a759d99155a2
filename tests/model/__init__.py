"""Seasons played by chance on the real services, compared after each action with a small model of what must be."""
