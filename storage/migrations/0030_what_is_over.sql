-- Whether a channel is the thread of a match that isn't played any more is asked after each post in it.
CREATE INDEX outbox_threads_over ON outbox (channel_id) WHERE kind = 'thread-over';

-- Nobody is asked about ties of a season that is over.
UPDATE ties SET settled_at = asked_at, how = 'gone' WHERE settled_at IS NULL
AND season_id IN (SELECT id FROM seasons WHERE phase NOT IN ('running', 'finals'));
