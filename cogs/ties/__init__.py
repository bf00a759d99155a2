"""Ties that wait for an organiser."""
