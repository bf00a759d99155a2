/* What the checker answers: the next round, the standings, whether every round is as the rules say, fingerprints. */
((F) => {
  "use strict";

  const isOpen = ({ matches }) => matches.some(({ kind }) => kind === "open");

  /* The number of the first round of the finals if they have begun or come next, else null. */
  function finalsFrom(season, n) {
    if (season.format === "single-elimination") return 1;
    const index = season.rounds.slice(0, n - 1).findIndex(({ stage }) => stage === "finals");
    if (index >= 0) return index + 1;
    if (season.rounds.slice(0, n - 1).some(isOpen)) return null; // no stage is over while a round is open
    const format = F.formats[season.format];
    if (!format.isOver(season, n)) return null;
    return season.format === "two-loss-out" && format.tied(season, n) ? null : n;
  }

  /* Whether a season ends with its regular stage. */
  function hasNoFinals(season) {
    const format = F.formats[season.format];
    if (season.format === "ohs") return season.settings.cut === 0;
    if (format.finalists) return format.finalists(season) === 0;
    return season.swiss && format.cutSize(season) === 0;
  }

  /* The next round by the rules, from the rounds before `n` alone; or the champion, or who is qualified. */
  function nextRound(season, n = season.rounds.length + 1) {
    if (season.format === "record") throw new F.Impossible("A season of format record is not paired.");
    const format = F.formats[season.format];
    const known = season.settings.schedule === "open" || n <= season.rounds.length; // or a round of a table that is there
    const inTable = format.finalists && known && !format.isOver(season, n);
    const open = inTable ? null : season.rounds.slice(0, n - 1).find(isOpen);
    if (open) throw new F.Impossible(`Round ${open.number} has a match without a result.`);
    const first = finalsFrom(season, n);
    if (first !== null) {
      if (hasNoFinals(season)) {
        const names = qualified(season, n).slice(0, format.finalists ? 1 : Infinity); // of groups only the champion
        return names.length ? { qualified: names } : { champion: null };
      }
      const found = F.nextOfBracket(season, format, first, n);
      return season.format === "single-elimination" ? F.withThirdPlace(season, n, found) : found;
    }
    const state = season.before(n);
    if (format.finalists) return { stage: "regular", ...format.regular(state) }; // its table goes on, whoever is left
    const active = format.pools ? format.pools(state).alive : state.present;
    if (active.length < 2) return { champion: active[0] ?? null };
    const tied = format.tied && format.isOver(season, n) ? format.tied(season, n) : null;
    if (tied) return { stage: "tiebreak", ...format.tiebreakRound(season, n, tied) };
    return { stage: "regular", ...format.regular(state) };
  }

  function qualified(season, n) {
    const state = season.before(n);
    return order(season, state, n - 1).filter((name) => state.present.includes(name));
  }

  /* Who has the first choice in each match of a round: null where the season has no dice-offs. */
  function diceOffs(season, n, matches) {
    const setting = season.settings.dice_off;
    if (setting === "off") return matches.map(() => null);
    const won = new Map();
    const published = new Map();
    const share = (name) => F.share(won.get(name) ?? 0, published.get(name) ?? 0);
    const decide = (number, two) => {
      const [a, b] = two;
      const found = setting === "equalizer" ? share(a).compare(share(b)) : 0;
      return (found || F.compare(season.draw(number, "dice", a), season.draw(number, "dice", b))) < 0 ? a : b;
    };
    for (const round of season.rounds.slice(0, n - 1)) {
      const winners = round.matches.map(({ players }) => decide(round.number, players));
      round.matches.forEach(({ players }, i) => {
        for (const name of players) published.set(name, (published.get(name) ?? 0) + 1);
        won.set(winners[i], (won.get(winners[i]) ?? 0) + 1);
      });
    }
    return matches.map(({ players }) => decide(n, players));
  }

  const written = (season, name) => season.players.get(name).written;

  /* What `pair` prints. */
  function pair(season) {
    const n = season.rounds.length + 1;
    const found = nextRound(season, n);
    const show = (name) => (name === null ? null : written(season, name));
    if ("champion" in found) return { champion: show(found.champion) };
    if (found.qualified) return { qualified: found.qualified.map(show) };
    const bracket = found.stage === "finals";
    const dice = diceOffs(season, n, found.matches);
    return {
      season: season.number,
      number: n,
      stage: found.stage,
      bye: found.byes.length ? (bracket ? found.byes.map(show) : show(found.byes[0])) : null,
      matches: found.matches.map(({ players, why }, i) => ({
        players: players.map(show),
        ...(dice[i] === null ? {} : { dice_off: show(dice[i]) }),
        why,
      })),
      rematches: found.rematches,
    };
  }

  function order(season, state, drawRound) {
    const format = F.formats[season.format];
    if (season.format === "record")
      return state.sort(
        state.names,
        drawRound,
        F.most((name) => state.records.get(name).wins),
        F.fewest((name) => state.records.get(name).losses),
      );
    if (season.format === "two-loss-out") return orderOfPools(season, state, drawRound);
    return format.order(state, state.names, drawRound);
  }

  /* Two-loss-out: who is still in or was in the finals, then the others. */
  function orderOfPools(season, state, drawRound) {
    const strength = F.twoLossOut(state).strength_of_schedule;
    const n = season.rounds.length + 1;
    const first = finalsFrom(season, n);
    const inside = new Set(
      first === null
        ? F.formats["two-loss-out"].pools(season.before(n)).alive
        : F.firstSlots(season, F.formats["two-loss-out"], first).slots,
    );
    return state.sort(
      state.names,
      drawRound,
      F.most((name) => (inside.has(name) ? 1 : 0)),
      F.fewest((name) => state.records.get(name).losses),
      F.most((name) => state.records.get(name).wins),
      F.highest(strength),
      F.fewest(F.formats["two-loss-out"].lostTies(season, n)),
    );
  }

  /* The bracket's order: the round reached, then the seed. */
  function orderOfBracket(season, state, bracket, drawRound) {
    const last = season.rounds.at(-1);
    const playing = new Set(last ? last.matches.flatMap(({ kind, players }) => (kind === "open" ? players : [])) : []);
    const reached = (name) => {
      if (!bracket.inside.has(name)) return bracket.out.get(name) ?? 0;
      return playing.has(name) ? last.number + 0.5 : Infinity; // above who lost in it, below who won
    };
    const seed = (name) => season.players.get(name).seed ?? Infinity;
    return state.sort(state.names, drawRound, F.most(reached), F.fewest(seed));
  }

  /* What `standings --json` prints. */
  function standings(season) {
    const n = season.rounds.length + 1;
    const single = season.format === "single-elimination";
    const first = season.format === "record" ? null : finalsFrom(season, n);
    const noFinals = first !== null && hasNoFinals(season);
    const state = tableState(season);
    const open = season.rounds.some(isOpen);
    const format = F.formats[season.format];
    const drawRound = format?.drawRound ?? (first === null ? (open ? n - 2 : n - 1) : first - 1);
    const bracket = first !== null && !noFinals ? F.bracket(season, format, first, n) : null;
    const names = single ? orderOfBracket(season, state, bracket, drawRound) : order(season, state, drawRound);
    const found = season.format === "record" || open ? {} : attempt(() => nextRound(season, n));
    const champion = found.champion ?? (found.qualified ? found.qualified[0] : null) ?? null;
    const places = bracket ? F.placesOf(bracket, champion, n, open) : new Map();
    if (single && season.settings.third_place) thirdPlaces(season, bracket, places);
    if (single)
      names.sort((a, b) =>
        [3, 4].includes(places.get(a)) && [3, 4].includes(places.get(b)) ? places.get(a) - places.get(b) : 0,
      );
    if (bracket && bracket.slots.length === 1) places.clear();
    const tiebreaks = season.format === "record" ? {} : format.tiebreaks(state);
    const inGroups = format?.placesInGroups?.(state);
    const ofGroup = (name) => ({
      group: inGroups.get(name)?.group ?? null,
      group_rank: inGroups.get(name)?.rank ?? null,
    });
    return names.map((name, i) => {
      const { points, wins, losses, draws, byes } = state.records.get(name);
      return {
        rank: i + 1,
        name: written(season, name),
        points,
        wins,
        losses,
        draws,
        byes,
        status: status(season, n, name, { champion, bracket, noFinals, state }),
        place: places.get(name) ?? null,
        ...(inGroups ? ofGroup(name) : {}),
        rating: (single ? season.before(1) : state).ratings.get(name),
        tiebreaks: Object.fromEntries(Object.entries(tiebreaks).map(([key, values]) => [key, shown(values.get(name))])),
      };
    });
  }

  /* What the standings rank: the regular stage, the whole bracket in single elimination. */
  function tableState(season) {
    const n = season.rounds.length + 1;
    const first = ["record", "single-elimination"].includes(season.format) ? null : finalsFrom(season, n);
    return season.withComing(first ?? n);
  }

  /* The orders of an organiser that count for nothing in the standings, each with the reason. */
  function idleDecisions(season) {
    const { decisions, format } = season;
    if (!decisions.length) return [];
    if (!F.formats[format].comparisons)
      return decisions.map((decision) => ({ ...decision, because: "because this format has none" }));
    const state = tableState(season);
    const compare = F.formats[format].comparisons(state);
    const counted = F.orders(state, compare);
    const because = ({ afterRound, order }) => {
      if (afterRound >= state.n) return "because the standings are those before the finals";
      if (isOpen(season.rounds[afterRound - 1])) return "while that round isn't over";
      const newer = counted.some(
        (other) => other.order.length === order.length && order.every((name) => other.order.includes(name)),
      );
      return newer ? "because a newer one is of the same players" : "because these aren't all of one group of equals";
    };
    return decisions
      .filter((decision) => !counted.includes(decision))
      .map((decision) => ({ ...decision, because: because(decision) }));
  }

  const shown = (value) =>
    typeof value === "number"
      ? { value: Number(F.nano(value)) / 1e9 }
      : { exact: String(value), value: value.valueOf() };

  function attempt(question) {
    try {
      return question();
    } catch (error) {
      if (error instanceof F.Impossible) return {};
      throw error;
    }
  }

  /* The match of two who had lost in an earlier round gives places 3 and 4. */
  function thirdPlaces(season, { out }, places) {
    for (const { number, matches } of season.rounds) {
      for (const { players, winner } of matches) {
        if (winner === null || players.some((name) => !(out.get(name) < number))) continue;
        for (const name of players) places.set(name, name === winner ? 3 : 4);
      }
    }
    const last = season.rounds.at(-1);
    const [alone] = last ? last.byes.filter((name) => out.get(name) < last.number) : []; // nobody was left to play them
    const other = [...places.keys()].find((name) => name !== alone && places.get(name) === 3);
    if (alone !== undefined && other !== undefined) places.set(other, 4);
  }

  function status(season, n, name, { champion, bracket, noFinals, state }) {
    if (name === champion) return "champion";
    const gone = season.isGone(name, n) ?? state.gone(name);
    if (gone) return gone.kind === "drop" ? "dropped" : "disqualified";
    if (bracket) {
      if (!bracket.inside.has(name)) return "eliminated";
      return season.format === "single-elimination" ? "active" : "qualified";
    }
    if (noFinals) return season.format === "round-robin" ? "eliminated" : "qualified";
    if (season.format === "two-loss-out") {
      const { alive } = F.formats["two-loss-out"].pools(state);
      const { through } = F.formats["two-loss-out"].pools(season.before(season.rounds.some(isOpen) ? n - 1 : n));
      return through.includes(name) ? "qualified" : alive.includes(name) ? "active" : "eliminated";
    }
    return "active";
  }

  Object.assign(F, { attempt, written, diceOffs, finalsFrom, hasNoFinals, idleDecisions, nextRound, pair, standings });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
