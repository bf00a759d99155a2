"""Promised posts: owed, rendered from facts, delivered once."""
