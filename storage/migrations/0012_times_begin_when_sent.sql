-- A time in which someone has to answer begins when the question was sent: until then it isn't set.
DROP INDEX claims_to_hand_on;
ALTER TABLE claims RENAME COLUMN answer_until TO promised_until;
ALTER TABLE claims ADD COLUMN answer_until INTEGER;
UPDATE claims SET answer_until = promised_until;
ALTER TABLE claims DROP COLUMN promised_until;
CREATE INDEX claims_to_hand_on ON claims (answer_until) WHERE handed_at IS NULL AND ended_at IS NULL;

ALTER TABLE ties ADD COLUMN until INTEGER;
UPDATE ties SET until = asked_at + 3600 * coalesce(
    (SELECT json_extract(settings, '$.confirm_hours') FROM seasons WHERE id = ties.season_id), 24
);
DROP INDEX ties_to_answer;
CREATE INDEX ties_to_answer ON ties (until) WHERE settled_at IS NULL AND match_at IS NULL;

-- When a player was asked to check in: no one who wasn't loses their place.
ALTER TABLE entrants ADD COLUMN asked_at INTEGER;
UPDATE entrants SET asked_at = (SELECT check_in - 86400 FROM seasons WHERE id = season_id);
