"""Read what other programs and spreadsheets keep of a league, so that it can move in.

Nothing here knows Discord or the database, and nothing is written. How a caller uses it:

1. `reader_of(data)` says what a file is by its content. A league file (`LEAGUE_FILE`) has its own reader.
2. `read(data, name, answers)` (in `read_file`) returns a `Found`, or raises Invalid where the whole file is wrong.
   It takes 1 s for 10,000 rows, so it runs in the worker: `await worker.run(read, data, name, answers, seconds=...)`.
3. While `found.questions` isn't empty, ask the first one (its `choices` are buttons or a select; without choices the
   answer is typed), and read the same bytes again with `answers.answered(question, value)`.
4. With `found.problems` nothing is imported: show their `line`s and `found.wrong_rows`.
5. Else show the preview: `found.seasons`, `found.people`, `found.notes`. Who of them the league
   knows is the caller's question; an answer goes into `answers.names` (the name in the file: the name it is).
6. `recorded(found, league, numbers)` (in `as_seasons`) gives the seasons of the rules, of format `record`.
   `numbers_for(found.seasons, here)` (in `numbering`) proposes the numbers, by date where the file has none.
"""
