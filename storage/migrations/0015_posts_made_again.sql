-- Buttons say what they do to what in another way: every message that can still be answered is made again once.
UPDATE outbox SET wanted = wanted + 1, state = 'due'
WHERE state = 'done' AND removed = 0
AND (season_id IS NULL OR season_id IN (SELECT id FROM seasons WHERE phase NOT IN ('finished', 'cancelled')));
