/* What the page says: why two can't be paired, each step to a pair, what a draw prevents. */
((F) => {
  "use strict";

  const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
  const and = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

  const FORMATS = {
    ohs: "Everyone plays on (OHS)",
    "two-loss-out": "Two loss out",
    "keyforge-swiss": "KeyForge Swiss",
    "lightseekers-swiss": "Lightseekers Swiss",
    "single-elimination": "Single elimination",
    "round-robin": "Round robin",
    record: "Recorded results",
  };

  /* What a round is called: a round of the finals by how many places it has. */
  function roundName(season, number) {
    const round = season.rounds[number - 1];
    if (round.stage === "tiebreak") return `Tie-break (round ${number})`;
    if (round.stage === "regular") return `Round ${number}`;
    const { places, playIn } = bracketOf(season, number);
    if (playIn) return "Play-in round";
    return (
      { 2: "Final", 4: "Semi-finals", 8: "Quarter-finals" }[places] ??
      (places > 8 ? `Round of ${places}` : `Finals, round ${number}`)
    );
  }

  /* How many places the bracket has in a round, 0 where the file's rounds make no bracket; whether some seeds wait for its winners. */
  function bracketOf(season, number) {
    const first = season.rounds.findIndex(({ stage }) => stage === "finals") + 1;
    try {
      const { places, slots } = F.bracket(season, F.formats[season.format], first, number);
      return { places: places.length, playIn: number === first && slots.includes(null) };
    } catch {
      return { places: 0, playIn: false };
    }
  }

  const inWords = (season, number) =>
    roundName(season, number).replace(/^(Round|Final$|Semi|Quarter|Play|Finals|Tie)/, (word) => word.toLowerCase());

  /* Why two can't be paired in a round: where they met, or that they are kept apart. */
  function whyNot(season, n, a, b) {
    const met = season.rounds
      .slice(0, n - 1)
      .find(({ matches }) => matches.some(({ players }) => players.includes(a) && players.includes(b)));
    if (met) return `met in ${inWords(season, met.number)}`;
    if (season.isApart(a, b, n)) return "kept apart";
    const pair = F.pairKey(season.person(a, n), season.person(b, n));
    const before = [1, 2].map((back) => season.number - back).find((number) => season.metBefore([number]).has(pair));
    return before === undefined ? "they met" : `met in season ${before}`;
  }

  /* What a list forbids, for the sentence above it. */
  function forbids(season, n, by) {
    if (season.format === "ohs" && by === "seed") return "this season";
    if (season.format === "ohs" && n === 1) return "in the last two seasons";
    if (season.format === "ohs" && by === "schedule") return n === 2 ? "this season or the one before" : "this season";
    if (season.format === "ohs") return "this season or in the two before";
    return "this season";
  }

  function aboveList(season, n, { where, list, by, joined, floats = [] }, whole) {
    const people = count(list.length, "player");
    const group = season.swiss && n > 1;
    const members = [...list, ...floats].filter((name) => !joined.includes(name));
    const points = [...new Set(members.map((name) => season.before(n).records.get(name).points))].sort((a, b) => b - a);
    const level =
      group && points.length
        ? `, ${and(points.map(String))} ${points.length === 1 && points[0] === 1 ? "point" : "points"}`
        : "";
    const title = whole ? "" : `${where[0].toUpperCase()}${where.slice(1)}${level}: `;
    const goes = floats.length
      ? ` ${and(floats)} goes down to the next group: this one is odd, and ${list.length ? "they are the last without whom no one of the others has to meet again" : "they are alone"}.`
      : "";
    if (!list.length) return `${title}${goes.trim()}`;
    const order = {
      draw: `${people} in the order of the draw.`,
      rating: `${people}, best rating first.`,
      schedule: `${people}: those with the strongest opponents so far first.`,
      seed: `${people} in the order of their seeds.`,
    }[by];
    const round = season.rounds[n - 1] ?? { stage: "regular" };
    const apart = list.some((a) => list.some((b) => a !== b && season.isApart(a, b, n)));
    const may = `didn't meet ${forbids(season, n, by)}${apart ? " and aren't kept apart from" : ""}`;
    const tier = by === "schedule" || by === "seed";
    const first = tier
      ? ` From the top, each takes the lowest-rated player they ${may}, usually one from the lower half of this list. Players higher up can refuse, and the steps say who does.`
      : round.stage === "tiebreak" || (n === 1 && season.format !== "ohs" && !apart)
        ? " From the top, each takes the next."
        : ` From the top, each takes the next they ${may}.`;
    const who = joined.length
      ? ` ${and(joined)} ${joined.length > 1 ? "come" : "comes"} from ${group ? "the group above" : "below, because there was one too few"}.`
      : "";
    return `${title}${order}${who}${goes}${list.length > 2 ? first : ""}`;
  }

  function skipWords(season, n, chooser, { name, because, place, weaker }) {
    if (because === "rest") return "then more would have to meet again";
    if (because === "forbidden") return whyNot(season, n, chooser, name);
    return `place ${place} of those left, only ${weaker + 1} or below will do`;
  }

  /* A step as a sentence: parts of text, names marked by an object. */
  function sentence(season, n, list, k) {
    const { steps } = list;
    const step = steps[k];
    const name = (text) => ({ name: text });
    if (step.stuck) return stuckSentence(season, n, list, step);
    const [a, b] = step.players;
    const after = k > 0 && steps[k - 1].stuck;
    const left = step.skipped.map((skip) => `${skip.name} (${skipWords(season, n, a, skip)})`);
    const undone = after ? steps[k - 1].undoes : [];
    const start = [name(a), after ? " now chooses" : ""];
    const inOrder = list.by === "draw" || list.by === "rating";
    if (undone.length && inOrder && undone.flat().includes(b) && !step.forbidden)
      start.push(` from the undone ${undone.length === 1 ? "pair" : "pairs"}, ${and(undone[0])} first,`);
    else if (undone.length) start.push(" from everyone who is free again");
    if (after) start.push(" and takes ", name(b));
    else start.push(step.skipped.length ? " takes " : k === 0 ? " is first and takes " : " takes ", name(b));
    if (!after && !step.skipped.length) start.push(inOrder ? ", the next." : ", the lowest-rated left.");
    else if (step.skipped.length > 8)
      start.push(`. They skip ${count(step.skipped.length, "player")}: ${left.slice(0, 8).join(", ")} and more.`);
    else if (step.skipped.length) start.push(`. They skip ${and(left)}.`);
    else start.push(".");
    if (step.forbidden)
      start.push(
        ` Those two can't avoid each other (${whyNot(season, n, a, b)}): fewer such pairs aren't possible in this list.`,
      );
    return start;
  }

  function stuckSentence(season, n, { steps }, step) {
    const { stuck, left } = step;
    const why = left.slice(0, 6).map((other) => `${other} (${whyNot(season, n, stuck, other)})`);
    const begin = [
      { name: stuck },
      ` is stuck: left ${left.length === 1 ? "is" : "are"} only ${and(why)}${left.length > 6 ? " and more" : ""}.`,
    ];
    const numbers = steps.flatMap(({ undoneBy }, i) => (undoneBy === step ? [String(i + 1)] : [])).reverse();
    if (!numbers.length) return [...begin, " Undoing pairs wouldn't leave fewer who have to meet again."];
    const [last, ...others] = numbers;
    const undone = others.length
      ? `the last pairs are undone, ${[last, ...others].join(", then ")}`
      : `the last pair, ${last}, is undone`;
    const able = forbiddenIn(steps)
      ? "now everyone can be paired with as few who meet again as possible"
      : "now everyone can be paired";
    return [...begin, ` So ${undone}: ${able}.`];
  }

  const forbiddenIn = (steps) => steps.filter((step) => step.players && !step.undoneBy && step.forbidden).length;

  /* The end of a list: how many rematches it has. */
  function listEnd({ steps }) {
    const forbidden = forbiddenIn(steps);
    return forbidden
      ? `Everyone is paired, with ${count(forbidden, "pair")} that couldn't be avoided: fewer aren't possible in this list.`
      : "Everyone is paired, and no two had to meet again.";
  }

  /* What the draw's text doesn't prevent. */
  function prevents({ settings, sealed }) {
    if (settings.salt === null) {
      return "The text has only the season, the round, the purpose and the name, so no one can change it after sign-ups. Someone could still try names before they sign up; a sealed salt prevents that.";
    }
    if (!sealed) {
      return "The text also has a salt made of everyone's names when sign-ups close. Whoever signs up last could still try names; a sealed salt prevents that.";
    }
    return "The text also has a salt made of everyone's names and a secret that was sealed before sign-ups opened, so no player could try names. Only whoever runs the bot's machine could have read the secret before.";
  }

  /* What a difference says in a row: the file's pairs that the rules don't give, and the rules' instead. */
  function bothWays(round, found) {
    const key = ({ players }) => F.pairKey(...players);
    const show = (matches, byes) =>
      and([...matches.map(({ players }) => players.join(" v ")), ...byes.map((name) => `a bye for ${name}`)]);
    const [theirs, ours] = [new Set(round.matches.map(key)), new Set(found.matches.map(key))];
    const said = show(
      round.matches.filter((match) => !ours.has(key(match))),
      round.byes.filter((name) => !found.byes.includes(name)),
    );
    const due = show(
      found.matches.filter((match) => !theirs.has(key(match))),
      found.byes.filter((name) => !round.byes.includes(name)),
    );
    return said || due ? { said: said || "none of these", due: due || "none of these" } : null;
  }

  const CHANCE = {
    order: "the order of the list",
    bye: "the bye",
    "pair-up": "who joins the players above",
    tiebreak: "who is first of equals",
    match: "the number of a match",
    dice: "the first choice",
  };

  F.words = {
    CHANCE,
    FORMATS,
    aboveList,
    and,
    bothWays,
    count,
    inWords,
    listEnd,
    prevents,
    roundName,
    sentence,
    skipWords,
    whyNot,
  };
})((globalThis.Fairpair = globalThis.Fairpair || {}));
