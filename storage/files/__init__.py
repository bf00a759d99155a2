"""The database as a file on a disk: who holds it, whether it is sound, its copies, and moving a guild's rows."""
