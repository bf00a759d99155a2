"""The thread of a match."""
