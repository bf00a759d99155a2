"""The table of promised posts: queued by use cases, delivered by the announcer, and what failed."""
