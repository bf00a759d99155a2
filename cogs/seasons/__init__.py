"""Commands and buttons about seasons and their tables."""
