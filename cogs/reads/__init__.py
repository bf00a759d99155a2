"""What people look up: standings, brackets, rules, outlooks, the board, what waits, the audit log."""
