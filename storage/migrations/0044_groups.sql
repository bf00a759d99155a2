-- The group an organiser gave a player of a round robin. Its groups as they were when a player was forgotten: its entrants
-- by their numbers. The order in which its divisions are filled, and the last fingerprint of the season that comes from.
ALTER TABLE entrants ADD COLUMN given_group INTEGER CHECK (given_group >= 1);
ALTER TABLE seasons ADD COLUMN groups TEXT CHECK (json_array_length(groups) >= 1);
ALTER TABLE seasons ADD COLUMN ladder TEXT CHECK (json_array_length(ladder) >= 0);
ALTER TABLE seasons ADD COLUMN ladder_of TEXT CHECK (length(ladder_of) = 64);
