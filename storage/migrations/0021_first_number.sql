-- The number an organiser gives to a league's first season, so that its past fits below.
ALTER TABLE seasons ADD COLUMN wanted_number INTEGER CHECK (wanted_number >= 1);
