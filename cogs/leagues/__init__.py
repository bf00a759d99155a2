"""Commands and buttons about leagues."""
