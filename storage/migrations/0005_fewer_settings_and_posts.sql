-- One setting is the time to answer whatever is asked: confirm_hours.
UPDATE seasons SET settings = json_remove(settings, '$.claim_hours', '$.accept_hours')
WHERE json_type(settings, '$.claim_hours') IS NOT NULL OR json_type(settings, '$.accept_hours') IS NOT NULL;

-- A late list is sealed as it comes in; those that still wait for a moderator are sealed now.
DELETE FROM outbox WHERE kind = 'late-list';
DROP INDEX late_lists;
