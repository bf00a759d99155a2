-- The post of a message someone pressed on is found by the message.
CREATE INDEX outbox_of_message ON outbox (message_id) WHERE message_id IS NOT NULL;
