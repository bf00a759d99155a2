"""What people type into options, and what is suggested while they type."""
