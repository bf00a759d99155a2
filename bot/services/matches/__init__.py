"""Matches: found, loaded, shown."""
