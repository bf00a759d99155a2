-- Players whose names the salt of their season was made of. It's made once, so who is added afterwards isn't one.
ALTER TABLE entrants ADD COLUMN drawn INTEGER NOT NULL DEFAULT 0 CHECK (drawn IN (0, 1));
