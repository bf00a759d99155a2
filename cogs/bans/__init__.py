"""Bans: keeping people out of a league, and the list of them."""
