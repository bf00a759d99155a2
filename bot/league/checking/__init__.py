"""What anyone can check: the league file, its rounds, what a correction changes (docs/formats/shared.md)."""
