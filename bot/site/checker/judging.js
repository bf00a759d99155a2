/* Whether a season is as the rules say: each round, the salt, the standings at its end; and its fingerprints. */
((F) => {
  "use strict";

  const CLOSE = 2e-9; // values that differ by less agree

  const unordered = (pairs) => pairs.map(({ players }) => F.pairKey(...players)).sort();
  const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

  /* One line for each finding, and whether everything is as the rules say; `others` are files given with it. */
  function verify(season, others = []) {
    if (season.format === "record")
      throw new F.Impossible("A season of format record was led elsewhere: there are no rules to check it by.");
    const salt = saltProblems(season);
    const rounds = season.rounds.map((round) => judge(season, round).problem);
    const end = finalProblem(season);
    const ladder = ladderProblem(season, others);
    const words = ({ byHand }) => (byHand ? "changed by hand, nobody plays twice" : "as the rules say");
    return {
      lines: [
        ...salt.map((problem) => `salt: ${problem}`),
        ...season.rounds.map((round, i) => `round ${round.number}: ${rounds[i] ?? words(round)}`),
        ...(end ? [`final: ${end}`] : []),
        ...(ladder.problem ? [`ladder: ${ladder.problem}`] : []),
        ...notes(season, end),
        ...(ladder.note ? [ladder.note] : []),
      ],
      fine: !salt.length && !end && !ladder.problem && rounds.every((problem) => problem === null),
    };
  }

  function notes(season, end) {
    const found = [];
    if (season.forgotten) found.push("salt and fingerprints: not compared, because a player was forgotten");
    else if (season.sealed && !season.sealed.secret && season.rounds.length)
      found.push("salt: not compared, because the file doesn't have the secret");
    if (season.groups) found.push("groups: as in the file, because a player was forgotten");
    if (season.bracket) found.push("bracket: its first slots as in the file, because a player was forgotten");
    for (const { afterRound, order, because } of F.idleDecisions(season)) {
      found.push(`decision after round ${afterRound} (${order.join(", ")}): counts for nothing, ${because}`);
    }
    if (season.final?.kept) found.push("final: as in the file, not compared, because a player was forgotten");
    else if (season.final && !end && !season.groups) found.push("final: as the rules say");
    return found;
  }

  /*
   * The round that the rules give instead of a round of the file, and what differs: null where nothing does. `tied` is the
   * round whose draw decided between equals for it, null where they weren't asked.
   */
  function judge(season, round) {
    if (season.format === "record") return { found: null, problem: null };
    season.ties.clear();
    try {
      const found = F.nextRound(season, round.number);
      const tied = [round.number, round.number - 1].find((number) => season.ties.has(number)) ?? null;
      return { found, tied, problem: round.byHand ? null : difference(season, round, found) };
    } catch (error) {
      if (!(error instanceof F.Impossible)) throw error;
      return { found: null, problem: round.byHand ? null : error.message };
    }
  }

  function difference(season, round, found) {
    if (!found.matches) return "the season was over before it";
    if (found.stage !== round.stage) return `it should be of the stage ${found.stage}`;
    if (!same(found.byes.slice().sort(), round.byes.slice().sort()))
      return `the bye should be ${found.byes.join(", ") || "nobody's"}`;
    if (!same(unordered(found.matches), unordered(round.matches))) {
      const should = new Set(unordered(found.matches));
      const wrong = round.matches.find(({ players }) => !should.has(F.pairKey(...players)));
      return `${wrong ? wrong.players.join(" and ") : "a pair"} should not play each other`;
    }
    const dice = F.diceOffs(season, round.number, round.matches);
    const off = round.matches.findIndex(({ diceOff }, i) => diceOff !== null && diceOff !== dice[i]);
    return off < 0 ? null : `the dice-off of ${round.matches[off].players.join(" and ")} should be ${dice[off]}'s`;
  }

  /* The first 16 digits of the hash of the names as they stood when sign-ups closed, after the secret where there is one. */
  function saltOf(names, secret = null) {
    const text = names.slice().sort(F.byCodePoint).join("\n");
    return F.sha256(secret === null ? text : `${secret}\n${text}`).slice(0, 16);
  }

  function saltProblems(season) {
    const { sealed, settings, forgotten } = season;
    if (settings.salt === null || forgotten) return [];
    const problems = [];
    if (sealed?.secret && F.sha256(sealed.secret) !== sealed.commitment) {
      problems.push("the commitment is not that of the secret");
    }
    const secret = sealed ? sealed.secret : null;
    const first = [...season.players.values()].filter(({ entered }) => entered === 1).map(({ name }) => name);
    const fields = season.drawnNames ? [season.drawnNames] : [first, season.before(1).present];
    if (sealed && !secret) return problems;
    if (!fields.some((names) => saltOf(names, secret) === settings.salt)) problems.push("it is not that of the names");
    return problems;
  }

  /* Whether the end is as the file says it, because a draw that decided it may have had a name that is gone. */
  const endIsKept = ({ final, groups }) => Boolean(groups || final.kept);

  /* What differs in the standings and the champion that the file says the season ended with. */
  function finalProblem(season) {
    const { final } = season;
    if (!final || endIsKept(season)) return null;
    const rows = F.standings(season);
    if (final.standings.length !== rows.length)
      return `it has ${final.standings.length} places, by the rules there are ${rows.length}`;
    for (const [i, row] of rows.entries()) {
      const said = final.standings[i];
      if (said.name !== row.name.normalize("NFC"))
        return `place ${i + 1} should be ${row.name}'s, the file says ${said.name}`;
      for (const key of ["rank", "points", "wins", "losses", "draws", "byes"]) {
        if (said[key] !== row[key]) return `${row.name} should have ${key} ${row[key]}, the file says ${said[key]}`;
      }
      for (const key of new Set([...Object.keys(said.tiebreaks), ...Object.keys(row.tiebreaks)])) {
        const [theirs, ours] = [said.tiebreaks[key], row.tiebreaks[key]?.value];
        if (!(Math.abs(theirs - ours) < CLOSE))
          return `${row.name} should have ${key} ${ours}, the file says ${theirs}`;
      }
    }
    if (final.ended !== "rules")
      return final.champion === null ? null : "a season that was ended by an organiser has no champion";
    const end = endByRules(season);
    if (end === null) return "by the rules the season is not over";
    if (end.champion !== final.champion)
      return `the champion should be ${end.champion ?? "nobody"}, the file says ${final.champion ?? "nobody"}`;
    return null;
  }

  /* What differs between the ladder of a season and the one that the season before it left, if that file is given. */
  function ladderProblem(season, others) {
    if (!season.ladderOf || season.groups) return {};
    const isIt = (other) =>
      other.league === season.league && other.number < season.number && fingerprints(other).at(-1) === season.ladderOf;
    const before = others.find(isIt);
    if (!before) return { note: "ladder not compared: no given file has that fingerprint" };
    const known = F.attempt(() => F.ladder(before));
    if (!Array.isArray(known)) return { problem: `season ${before.number} has none` };
    const theirs = [
      ...new Set(known.map((name) => season.knownAs.get(name)).filter((name) => season.players.has(name))),
    ];
    const ours = season.ladder.filter((name) => season.players.has(name));
    const at = Array.from({ length: Math.max(theirs.length, ours.length) }, (_, i) => i).find(
      (i) => theirs[i] !== ours[i],
    );
    if (at === undefined) return { note: `ladder: as season ${before.number} left it` };
    return { problem: `place ${at + 1} should be ${theirs[at] ?? "nobody"}'s, the file says ${ours[at] ?? "nobody"}` };
  }

  /* The champion of a season that is over by the rules, who may be nobody; null while it goes on. */
  function endByRules(season) {
    if (season.format === "record") return null;
    try {
      const found = F.nextRound(season);
      if (found.matches) return null;
      return { champion: found.qualified ? (found.qualified[0] ?? null) : found.champion };
    } catch (error) {
      if (error instanceof F.Impossible) return null;
      throw error;
    }
  }

  /* Canonical JSON: keys sorted, no spaces, nothing escaped that need not be. */
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value !== null && typeof value === "object") {
      const keys = Object.keys(value).sort(F.byCodePoint);
      return `{${keys.map((key) => `${text(key)}:${canonical(value[key])}`).join(",")}}`;
    }
    return typeof value === "string" ? text(value) : String(value);
  }

  const SHORT = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const text = (string) =>
    `"${string.replace(/["\\\u0000-\u001f]/g, (sign) => SHORT[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;

  /* F(0), F(1), ... as far as no match is open. */
  function fingerprints(season) {
    const players = season.before(1).present.slice().sort(F.byCodePoint);
    const found = [F.sha256(canonical({ format: season.format, players, season: season.number }))];
    for (const round of season.rounds) {
      if (round.matches.some(({ kind }) => kind === "open")) break;
      const decisions = season.decisions
        .filter(({ afterRound }) => afterRound === round.number)
        .map(({ order: names }) => names);
      const facts = {
        bye: round.byes.slice().sort(F.byCodePoint),
        matches: round.matches.map(({ games, kind, players: two, winner, points, score }) => ({
          games,
          kind,
          players: two,
          winner,
          ...(points ? { points } : {}),
          ...(score ? { score } : {}),
        })),
        number: round.number,
        stage: round.stage,
        ...(decisions.length ? { decisions } : {}),
      };
      found.push(F.sha256(`${found.at(-1)}\n${canonical(facts)}`));
    }
    return found;
  }

  Object.assign(F, { endByRules, endIsKept, finalProblem, fingerprints, judge, saltOf, saltProblems, verify });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
