/* The checker outside a browser: node check.js pair|standings|verify FILE [--fingerprint HEX]; FILE may be -. */
"use strict";

const fs = require("node:fs");

const PARTS = [
  "json", "exact", "sha256", "ratings", "season", "node", "settings", "league_file", "lists", "standings", "bracket", "shared", "ohs",
  "two_loss_out", "swiss", "single_elimination", "answers", "judging",
];
for (const part of PARTS) require(`./${part}.js`);
const F = globalThis.Fairpair;

const COMMANDS = {
  pair: (season) => [JSON.stringify(F.pair(season), null, 2), true],
  standings: (season) => [JSON.stringify(F.standings(season), null, 2), true],
  verify(season) {
    const { lines, fine } = F.verify(season);
    return [lines.join("\n"), fine];
  },
};

function main([command, file, option, hex]) {
  if (!(command in COMMANDS) || file === undefined || (option !== undefined && option !== "--fingerprint")) {
    console.error("usage: node check.js pair|standings|verify FILE [--fingerprint HEX]");
    return 2;
  }
  try {
    const season = F.readLeagueFile(F.decoded(fs.readFileSync(file === "-" ? 0 : file)));
    if (option) {
      const found = F.fingerprints(season).findIndex((one) => one === hex || one.slice(0, 16) === hex);
      console.log(found < 0 ? "the file never had this fingerprint" : `the file has this fingerprint after round ${found}`);
      return found < 0 ? 1 : 0;
    }
    const [text, fine] = COMMANDS[command](season);
    console.log(text);
    return fine ? 0 : 1;
  } catch (error) {
    if (error instanceof F.Impossible) {
      console.error(error.message);
      return 1;
    }
    if (error instanceof F.Invalid || error.code === "ENOENT") {
      console.error(`${file === "-" ? "standard input" : file}: ${error.message}`);
      return 2;
    }
    throw error;
  }
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
