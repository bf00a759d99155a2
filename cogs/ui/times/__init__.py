"""Agreeing on a time as people see it: on the card of a match, in messages, and finding their time zone."""
