-- Whether a match that was open again got time once by what its players did; what moderators decide gives it each time.
ALTER TABLE matches ADD COLUMN got_time INTEGER NOT NULL DEFAULT 0 CHECK (got_time IN (0, 1));
