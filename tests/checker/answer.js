/* Answers league files line by line, as they come: standard input holds a JSON text a line, each the text of a file. */
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

const answer = (text) => {
  let season;
  try {
    season = F.readLeagueFile(text);
  } catch (error) {
    if (!(error instanceof F.Invalid)) throw error;
    return { invalid: error.message };
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
    return Object.fromEntries(Object.entries(questions).map(([name, ask]) => [name, attempt(() => ask(season))]));
  } catch (error) {
    return { crash: error.stack };
  }
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => console.log(JSON.stringify(answer(JSON.parse(line)))));
