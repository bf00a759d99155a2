/* Checks the corpus of league files: node tests/corpus/check.js [FILE]. Exits with 1 where an answer differs. */
"use strict";

const fs = require("node:fs");
const zlib = require("node:zlib");
require("../../bot/site/checker/check.js");
const F = globalThis.Fairpair;

const CLOSE = 2e-9;
const SENTENCES = new Set(["why", "bye_why"]);

/* Whether two answers agree: numbers may differ by less than 2e-9, and sentences as they like. */
function same(one, other) {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => same(value, other[at]));
  if (one !== null && other !== null && typeof one === "object" && typeof other === "object") {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => !SENTENCES.has(key));
    return keys.every((key) => key in one && key in other && same(one[key], other[key]));
  }
  if (typeof one === "number" && typeof other === "number") return Math.abs(one - other) < CLOSE;
  return one === other;
}

/* What the checker answers to a season. */
function answers(season) {
  const pair = () => {
    try {
      return F.pair(season);
    } catch (error) {
      if (error instanceof F.Impossible) return { impossible: true };
      throw error;
    }
  };
  return {
    pair: pair(),
    standings: F.standings(season),
    fingerprints: F.fingerprints(season),
    verify: F.verify(season).fine,
  };
}

function main([path = `${__dirname}/corpus.jsonl.gz`]) {
  const lines = zlib.gunzipSync(fs.readFileSync(path)).toString("utf8").split("\n").filter(Boolean);
  let wrong = 0;
  for (const line of lines) {
    const { id, file, answers: wanted } = JSON.parse(line);
    const found = answers(F.readLeagueFile(JSON.stringify(file)));
    const parts = Object.keys(wanted).filter((key) => !same(JSON.parse(JSON.stringify(found[key])), wanted[key]));
    if (parts.length) console.log(`${id}: another answer: ${parts.join(", ")}`);
    wrong += parts.length > 0;
  }
  console.log(`${lines.length} league files, ${wrong} with another answer`);
  return lines.length && !wrong ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
