-- Moderators aren't told any more of the matches in which nothing has happened by half of a round.
DELETE FROM outbox WHERE kind = 'unscheduled';
