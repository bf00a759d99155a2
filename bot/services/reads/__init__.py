"""Looks at everything that change nothing: tables, cards, details, what waits, help, the audit log."""
