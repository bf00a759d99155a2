-- How many messages of a post Discord has said are gone: the next one has another nonce.
ALTER TABLE outbox ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
