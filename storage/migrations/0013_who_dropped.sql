-- A drop that a moderator decided can be undone by moderators.
ALTER TABLE departures ADD COLUMN by_moderator INTEGER NOT NULL DEFAULT 0 CHECK (by_moderator IN (0, 1));
