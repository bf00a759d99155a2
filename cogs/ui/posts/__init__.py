"""Promised posts as messages: which kind is rendered where, and the posts with pictures."""
