"""The only SQL: database, migrations and one module per table group."""
