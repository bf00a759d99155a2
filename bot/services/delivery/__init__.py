"""Promised posts as they are when they are sent: loaded from facts, delivered once."""
