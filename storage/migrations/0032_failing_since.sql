-- Since when a post couldn't be made or edited: a post can be much older than its trouble.
ALTER TABLE outbox ADD COLUMN failing_since INTEGER;

UPDATE outbox SET failing_since = coalesce(parked_at, created_at) WHERE problem IS NOT NULL;
