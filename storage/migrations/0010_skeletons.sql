-- The shape of a name, so that one that looks like a new name is found by a search; filled in by the code beside this.
ALTER TABLE player_names ADD COLUMN skeleton TEXT NOT NULL DEFAULT '';
CREATE INDEX skeletons ON player_names (league_id, skeleton);
