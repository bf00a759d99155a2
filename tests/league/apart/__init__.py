"""Players kept apart (docs/formats/shared.md)."""
