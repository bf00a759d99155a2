"""What organisers do with rounds: pair, post, close, undo, the clock, maps."""
