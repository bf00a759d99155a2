"""Leagues of a guild: set up, files in and out."""
