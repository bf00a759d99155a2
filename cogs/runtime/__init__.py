"""What runs by itself beside the answers: the clock, the backups, the health port, who is still on the server."""
