"""What organisers do with rounds: pair, post, close, undo, swap, the clock of a live round, maps."""
