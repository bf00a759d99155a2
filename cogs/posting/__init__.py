"""The promised posts on Discord: what they look like, sent once, edited, in their threads, and what a refusal means."""
