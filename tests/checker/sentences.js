/* Says the steps of each round of league files: standard input holds a JSON text a line, each the text of a file. */
"use strict";

require("../../bot/site/checker/check.js");
require("../../bot/site/checker/words.js");
const F = globalThis.Fairpair;
const words = (parts) =>
  []
    .concat(parts)
    .map((part) => (typeof part === "string" ? part : part.name))
    .join("");

for (const line of require("node:fs").readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const season = F.readLeagueFile(JSON.parse(line));
  const rounds = season.rounds
    .filter(({ stage }) => stage !== "finals")
    .map((round) => {
      const { lists = [] } = F.judge(season, round).found ?? {};
      const told = lists.map((list) => ({
        list: list.list,
        by: list.by,
        steps: list.steps.map((_step, k) => words(F.words.sentence(season, round.number, list, k))),
        end: F.words.listEnd(list),
      }));
      return { number: round.number, lists: told };
    });
  console.log(JSON.stringify(rounds));
}
