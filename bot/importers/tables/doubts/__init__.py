"""What rows leave in doubt: each file asks about one thing and does what was answered."""
