"""Random whole seasons as league files, for everyone who wants to check an engine that pairs."""
