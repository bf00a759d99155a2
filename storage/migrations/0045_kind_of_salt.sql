-- What the salt of a season is made of is one choice, so it's one column: NULL for none, of names alone, or sealed.
ALTER TABLE seasons ADD COLUMN salt_kind TEXT CHECK (salt_kind IN ('names', 'sealed'));
UPDATE seasons SET salt_kind = iif(sealed, 'sealed', 'names') WHERE salted OR sealed;
ALTER TABLE seasons DROP COLUMN salted;
ALTER TABLE seasons DROP COLUMN sealed;

-- A post that gathers changes of a season's rules holds what they were.
UPDATE outbox SET facts = json_set(
    json_remove(facts, '$.was.salted', '$.was.sealed'), '$.was.salt_kind',
    CASE WHEN facts ->> '$.was.sealed' THEN 'sealed' WHEN facts ->> '$.was.salted' THEN 'names' END
) WHERE kind = 'notice' AND json_type(facts, '$.was.salted') IS NOT NULL;
