"""What the person who runs the bot does: start it, back it up, check it, move a server to another database."""
