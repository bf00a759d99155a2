"""Ties an organiser decides."""
