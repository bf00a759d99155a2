"""Where the players of a match talk: its thread, made, kept and closed."""
