"""Rounds: paired, posted, led by organisers, asked about, timed."""
