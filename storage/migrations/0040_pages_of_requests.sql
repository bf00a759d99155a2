-- Requests to join stand on pages, as claims do; each one there already is a page of its own.
ALTER TABLE join_requests ADD COLUMN page INTEGER NOT NULL DEFAULT 0;
UPDATE join_requests SET page = id;
CREATE INDEX requests_of_page ON join_requests (season_id, page);
UPDATE outbox SET facts = json_set(json_remove(facts, '$.request_id'), '$.page', json_extract(facts, '$.request_id'))
WHERE kind = 'join-request';
