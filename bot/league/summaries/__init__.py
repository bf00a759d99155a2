"""What people are told about a season beyond its tables: what they need, what is new (docs/formats/outlook.md)."""
