"""Players kept apart (docs/rules.md, 10)."""
