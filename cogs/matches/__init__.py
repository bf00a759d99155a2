"""Commands and buttons about matches and their results."""
