-- Whether a channel is the thread of a match that isn't played any more is asked after each post in it.
CREATE INDEX outbox_threads_over ON outbox (channel_id) WHERE kind = 'thread-over';
