-- Imports have one word: of files from other programs the audit log said that a league moved in.
UPDATE audit SET action = 'league.import_records' WHERE action = 'league.move_in';
