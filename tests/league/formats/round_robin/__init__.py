"""The rules of round robins."""
