-- What moderators decided of several matches at once is found for each of them.
CREATE INDEX outbox_decided_together ON outbox (season_id) WHERE kind = 'decided-together';
