"""What people see: promised posts, tables, matches."""
