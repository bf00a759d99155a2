"""The life of a season: planned, started, paused, ended."""
