"""Matches: found and loaded."""
