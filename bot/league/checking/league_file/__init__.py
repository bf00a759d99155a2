"""The league file: one season as JSON, complete enough to pair, rank and verify it anywhere."""
