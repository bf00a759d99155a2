/* The checker outside a browser: node check.js pair|standings|ladder FILE, or verify FILE...; FILE may be -. */
"use strict";

const fs = require("node:fs");

/* The engine is what the page loads first, up to the words. */
const page = fs.readFileSync(`${__dirname}/check.html`, "utf8");
for (const [, part] of page.split("<!-- What people see. -->")[0].matchAll(/<script src="(.+)">/g))
  require(`./${part}`);
const F = globalThis.Fairpair;

const COMMANDS = {
  pair: (season) => [JSON.stringify(F.pair(season), null, 2), true],
  standings: (season) => [JSON.stringify(F.standings(season), null, 2), true],
  ladder: (season) => [
    JSON.stringify({ ladder: F.ladder(season).map((name) => F.written(season, name)) }, null, 2),
    true,
  ],
  verify(season, others) {
    const { lines, fine } = F.verify(season, others);
    return [lines.join("\n"), fine];
  },
};

const USAGE = "usage: node check.js pair|standings|ladder FILE, verify FILE..., verify FILE --fingerprint HEX";
const readSeason = (file) => F.readLeagueFile(F.decoded(fs.readFileSync(file === "-" ? 0 : file)));

/* The answer and the exit code; of several files the worst. */
function main([command, ...files]) {
  const option = files.indexOf("--fingerprint");
  const [hex] = option < 0 ? [] : files.splice(option, 2).slice(1);
  const asksOne = command !== "verify" || option >= 0;
  if (!(command in COMMANDS) || !files.length || (asksOne && files.length > 1) || (option >= 0 && hex === undefined)) {
    console.error(USAGE);
    return 2;
  }
  const seasons = new Map(); // by file, where it could be read
  const codes = files.map((file) =>
    attempt(file, () => {
      seasons.set(file, readSeason(file));
      return 0;
    }),
  );
  const answers = [...seasons].map(([file, season]) =>
    attempt(file, () => {
      if (hex !== undefined) return sayFingerprint(season, hex);
      const [text, fine] = COMMANDS[command](season, [...seasons.values()]);
      console.log(files.length > 1 ? text.replace(/^/gm, `${file}: `) : text);
      return fine ? 0 : 1;
    }),
  );
  return Math.max(...codes, ...answers);
}

function sayFingerprint(season, hex) {
  const found = F.fingerprints(season).findIndex((one) => one === hex || one.slice(0, 16) === hex);
  console.log(found < 0 ? "the file never had this fingerprint" : `the file has this fingerprint after round ${found}`);
  return found < 0 ? 1 : 0;
}

/* The exit code of a question to a file; what is wrong is said. */
function attempt(file, question) {
  try {
    return question();
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
