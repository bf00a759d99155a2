"""Signing up for a season: joining, waiting for a place, saying that one is still in."""
