-- Corrections that organisers are asked for are found among the posts that ask for them.
CREATE INDEX outbox_corrections ON outbox (match_id) WHERE kind = 'correction' AND removed = 0;
