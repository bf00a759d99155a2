/* Answers league files line by line: standard input holds a JSON text a line, each the text of a file. */
"use strict";

require("../../bot/site/checker/check.js");
const F = globalThis.Fairpair;

const attempt = (question) => {
  try {
    return question();
  } catch (error) {
    if (error instanceof F.Impossible) return { impossible: error.message };
    throw error;
  }
};

/* The names of the ladder; null in another format. */
const ladderOf = (season) =>
  season.format === "round-robin" ? { ladder: F.ladder(season).map((name) => F.written(season, name)) } : null;

/* A step without what leads from it to another. */
const told = ({ stuck, left, undoes, players, skipped, forbidden, undoneBy }) =>
  stuck ? { stuck, left, undoes } : { players, skipped, forbidden, undone: undoneBy !== null };

for (const line of require("node:fs").readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  let season;
  try {
    season = F.readLeagueFile(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof F.Invalid)) throw error;
    console.log(JSON.stringify({ invalid: error.message }));
    continue;
  }
  const steps = (asked) =>
    (F.nextRound(asked).lists ?? []).map(({ list, steps: found }) => ({ list, steps: found.map(told) }));
  const questions = {
    steps,
    pair: F.pair,
    standings: F.standings,
    verify: (one) => F.verify(one),
    ladder: ladderOf,
    fingerprints: F.fingerprints,
  };
  try {
    const answers = Object.entries(questions).map(([name, ask]) => [name, attempt(() => ask(season))]);
    console.log(JSON.stringify(Object.fromEntries(answers)));
  } catch (error) {
    console.log(JSON.stringify({ crash: error.stack }));
  }
}
