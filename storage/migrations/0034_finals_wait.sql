-- Whether the finals would follow by themselves but for an answer: they do once it is given, also after a pause.
ALTER TABLE seasons ADD COLUMN finals_wait INTEGER NOT NULL DEFAULT 0;
