"""Fairpair, a Discord bot that runs online leagues in seasons with pairings anyone can check."""
