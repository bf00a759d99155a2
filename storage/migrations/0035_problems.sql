-- What keeps a match from being played is a problem everywhere: a claim is what someone says of their past.
DROP INDEX claims_of_match;
DROP INDEX claims_of_entrant;
DROP INDEX one_open_claim;
DROP INDEX claims_to_hand_on;
ALTER TABLE claims RENAME TO problems;
CREATE INDEX problems_of_match ON problems (match_id);
CREATE INDEX problems_of_entrant ON problems (entrant_id);
CREATE UNIQUE INDEX one_open_problem ON problems (match_id) WHERE ended_at IS NULL;
CREATE INDEX problems_to_hand_on ON problems (answer_until) WHERE handed_at IS NULL AND ended_at IS NULL;

CREATE TABLE screenshots_now (
    problem_id INTEGER NOT NULL REFERENCES problems (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (problem_id, entrant_id)
) STRICT;
INSERT INTO screenshots_now (problem_id, entrant_id, name, content)
SELECT claim_id, entrant_id, name, content FROM screenshots;
DROP TABLE screenshots;
ALTER TABLE screenshots_now RENAME TO screenshots;
CREATE INDEX screenshots_of_entrant ON screenshots (entrant_id);

UPDATE outbox SET kind = 'case', key = 'case' || substr(key, 6) WHERE kind = 'claim';
UPDATE outbox
SET facts = json_set(json_remove(facts, '$.claim_id'), '$.problem_id', json_extract(facts, '$.claim_id'))
WHERE json_type(facts, '$.claim_id') IS NOT NULL;
UPDATE audit SET action = 'problem.tell' WHERE action = 'problem.claim';
