-- Seasons of a whole league that came in: what the ratings noted at their start count as there (storage/rated_seasons.py).
ALTER TABLE imported_seasons ADD COLUMN ratings TEXT NOT NULL DEFAULT 'given' CHECK (ratings IN ('given', 'noted', 'outdated'));
