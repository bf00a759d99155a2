/*
 * The checker's own generator: whole seasons by chance, paired by the second engine, a league file a line.
 *
 * node generate.js FORMAT FROM TO: the seasons of the seeds FROM to before TO; with `open` as the format round robins
 * whose matches are all open at once, each also as it was while some were. Written from the rules and the format of the
 * file alone, as the engine is.
 */
"use strict";

const { createHash } = require("node:crypto");
require("../../bot/site/checker/check.js");
const F = globalThis.Fairpair;

const SWISS = ["keyforge-swiss", "lightseekers-swiss"];
const LATEST = 60;
const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");

/* Numbers from 0 to 1 that follow from a text. */
function chances(text) {
  let block = 0;
  let digits = "";
  return () => {
    if (digits.length < 8) digits = sha256(`${text}#${(block += 1)}`);
    const value = parseInt(digits.slice(0, 8), 16) / 2 ** 32;
    digits = digits.slice(8);
    return value;
  };
}

class Chance {
  constructor(text) {
    this.next = chances(text);
  }
  maybe(chance) {
    return this.next() < chance;
  }
  whole(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }
  one(of) {
    return of[this.whole(0, of.length - 1)];
  }
  shuffled(items) {
    const keys = items.map((item) => [this.next(), item]);
    return keys.sort(([a], [b]) => a - b).map(([, item]) => item);
  }
  rating() {
    const mu = Math.round((this.maybe(0.8) ? 19 + 12 * this.next() : 5 + 40 * this.next()) * 1e4) / 1e4;
    return { mu, sigma: this.one([1.5, 25 / 3, Math.round((1 + 6 * this.next()) * 100) / 100]) };
  }
}

const FIRST = [
  "Åse",
  "Bo",
  "Chi",
  "Dra",
  "Eli",
  "Flo",
  "Gil",
  "Hui",
  "Ida",
  "Jo",
  "Kit",
  "李",
  "Möller",
  "Ngo",
  "Ós",
  "🐙",
  'Q"q',
  "R/r",
  "S\\s",
  "T t",
  "𐍈",
];
const people = (count) => Array.from({ length: count }, (_, i) => FIRST[i] ?? `Person ${i}`);

function settingsOf(format, chance) {
  const found = {};
  const perhaps = (key, share, values) => chance.maybe(share) && (found[key] = chance.one(values));
  if (format !== "single-elimination")
    perhaps("cut", 0.5, SWISS.includes(format) ? [0, 2, 4, 8, 16, 64] : [0, 1, 2, 3, 4, 5, 7, 8, 12, 40]);
  if (format === "ohs" || SWISS.includes(format)) perhaps("rounds", 0.5, [1, 2, 3, 4, 5, 6]);
  if (format === "ohs") perhaps("bye_among", 0.6, ["all", "lowest", "lowest"]);
  if (format === "two-loss-out") perhaps("losses", 0.5, [1, 2, 3, 4]);
  if (format === "keyforge-swiss") {
    perhaps("points", 0.4, [
      { win: 3, draw: 1, loss: 0, bye: 3 },
      { win: 2, draw: 1, loss: 0, bye: 2 },
      { win: 4, draw: 2, loss: 1, bye: 3 },
    ]);
    perhaps("draws", 0.5, [true, false]);
  }
  if (format === "round-robin") return robinSettings(found, perhaps);
  if (format === "single-elimination") {
    perhaps("seeding", 0.6, ["seeded", "drawn"]);
    perhaps("third_place", 0.6, [true, false]);
  } else {
    perhaps("late_entry", 0.4, [1, 2, 3, 4]);
    if (format !== "two-loss-out") perhaps("rejoin", 0.3, ["ask", "free", "never"]);
  }
  perhaps("replace", 0.4, [true, false]);
  return usualSettings(found, perhaps);
}

/* What only a round robin has. */
function robinSettings(found, perhaps) {
  delete found.cut;
  perhaps("meetings", 0.4, [1, 2]);
  perhaps("group_size", 0.6, [3, 3, 4, 5, 6]);
  perhaps("grouping", 0.7, ["drawn", "rating", "divisions", "given"]);
  perhaps("schedule", 0.5, ["rounds", "open"]);
  perhaps("draws", 0.5, [true, true, false]);
  perhaps("points", 0.4, [{ win: 2, draw: 1 }, { win: 2 }, { win: 3, draw: 1, loss: 1, bye: 7 }, {}]);
  perhaps("tiebreaks", 0.6, [
    [],
    ["head-to-head"],
    ["sonneborn-berger", "head-to-head"],
    ["wins", "scored"],
    ["difference", "head-to-head", "wins"],
    ["head-to-head", "difference"],
  ]);
  perhaps("moves", 0.5, [0, 1, 2, 3, 9]);
  perhaps("through", 0.3, [2, 2, 3, 5, 40]);
  if (found.through === undefined) perhaps("cut", 0.4, [0, 2, 3, 4, 5, 8, 40]);
  perhaps("late_entry", 0.1, [1]);
  perhaps("rejoin", 0.1, ["never"]);
  return usualSettings(found, perhaps);
}

/* What every format has. */
function usualSettings(found, perhaps) {
  perhaps("no_show", 0.2, ["drop", "forfeit"]);
  perhaps("dice_off", 0.5, ["off", "draw", "equalizer"]);
  perhaps("scores", 0.3, [true, true, false]);
  perhaps("best_of", 0.4, [1, 3, 5]);
  perhaps("finals_best_of", 0.3, [1, 3]);
  perhaps("final_best_of", 0.3, [3, 5]);
  perhaps("rating", 0.3, [
    { mu: 25, sigma: 25 / 3, beta: 25 / 6, tau: 25 / 300, draw_probability: 0.1 },
    { mu: 30, sigma: 7.5, beta: 4.5, tau: 0.2, draw_probability: 0 },
    { mu: 25, sigma: 6, beta: 3, tau: 0, draw_probability: 0.25 },
  ]);
  perhaps("pace", 0.1, ["days", "live"]);
  perhaps("game", 0.1, ["keyforge", "lightseekers", null]);
  perhaps("advance", 0.1, ["all-in", "deadline", "manual"]);
  perhaps("overdue", 0.1, ["moderators", "double_loss", "extend"]);
  perhaps("round_days", 0.1, [1, 7, 30]);
  perhaps("confirm_hours", 0.1, [1, 24]);
  perhaps("max_players", 0.1, [null, 200]);
  perhaps("match_places", 0.1, ["card", "threads", "private"]);
  return found;
}

/* Kinds of seasons in which a rule that seldom matters does: how many players, which settings, what befalls them. */
const KINDS = {
  "keyforge-swiss": [{ size: [5, 7], settings: () => ({ cut: 8, late_entry: 3 }) }],
  ohs: [{ size: [3, 7], settings: () => ({ bye_among: "lowest", rounds: 6 }) }],
  "two-loss-out": [
    {
      size: [7, 11],
      settings: (chance) => ({ losses: 2, cut: chance.one([1, 1, 2, 4]) }),
      mood: { lost: 0.02, allLost: 0, left: 0.03, byHand: 0 },
    },
    {
      size: [2, 8],
      settings: (chance) => ({ losses: chance.whole(1, 2), cut: chance.one([1, 2, 4]) }),
      mood: { lost: 0.4, allLost: 0.7, left: 0.4, byHand: 0.02 },
    },
    {
      size: [20, 40],
      settings: (chance) => ({ losses: 2, cut: chance.one([8, 16]) }),
      mood: { lost: 0.02, allLost: 0, left: 0.03, byHand: 0.05 },
    },
  ],
};

class Played {
  constructor(format, seed, always = {}) {
    const chance = new Chance(`${format} ${seed}`);
    const least = SWISS.includes(format) ? 5 : format === "round-robin" ? 3 : 2;
    const kind = chance.one([...(KINDS[format] ?? []), {}, {}]);
    const usual = chance.maybe(0.75) ? [2, 13] : [14, 40];
    const size = Math.max(least, chance.whole(...(kind.size ?? usual)));
    const number = chance.whole(0, 40);
    const settings = { ...settingsOf(format, chance), ...kind.settings?.(chance), ...always };
    const names = chance.shuffled(people(size));
    this.chance = chance;
    this.format = format;
    // how often both lose a match, all of a round do, somebody leaves, a round is changed by hand
    this.mood = kind.mood ?? {
      lost: chance.one([0.05, 0.05, 0.05, 0.4, 0.8]),
      allLost: chance.one([0, 0, 0.5]),
      left: chance.one([0.25, 0.25, 0.25, 0.7]),
      byHand: chance.one([0.05, 0.05, 0.4]),
    };
    this.stay = chance.maybe(0.1) ? 0 : 2;
    this.spare = ["Late", "Later", "Latest", "Sub", "Subs", "Third", "Fourth"];
    this.file = {
      fairpair: 1,
      league: "The checker's own",
      season: number,
      format,
      settings,
      players: [],
      past_seasons: [],
      rounds: [],
      departures: [],
    };
    const seeds = chance.shuffled(names.map((_, i) => 1 + 3 * i));
    const rated = chance.one([0, 0.5, 1]);
    names.forEach((name, i) => {
      const row = { name };
      if (chance.maybe(rated)) row.rating = chance.rating();
      if (settings.seeding === "seeded") row.seed = seeds[i];
      if (chance.maybe(0.1)) row.former_names = [`${name} of old`];
      this.file.players.push(row);
    });
    this.past(number);
    this.salt(names);
    this.must();
  }

  past(number) {
    const { chance } = this;
    const called = ({ name, former_names: former }) => (former && chance.maybe(0.5) ? former[0] : name);
    for (const back of [1, 2, 3]) {
      if (number - back < 0 || chance.maybe(0.3)) continue;
      const matches = [];
      for (let i = chance.whole(0, 2 * this.file.players.length); i > 0; i -= 1) {
        const [a, b] = chance.shuffled(this.file.players);
        matches.push(chance.maybe(0.05) ? [called(a), "somebody else"] : [called(a), called(b)]);
      }
      this.file.past_seasons.push({ season: number - back, matches });
    }
  }

  salt(names) {
    const { chance, file } = this;
    const kind = chance.one(["none", "names", "sealed"]);
    if (kind === "none") return;
    const sorted = names.map((name) => name.normalize("NFC")).sort(F.byCodePoint);
    const secret = sha256(`secret ${chance.next()}`);
    file.settings.salt = sha256([...(kind === "sealed" ? [secret] : []), ...sorted].join("\n")).slice(0, 16);
    if (kind === "sealed") file.sealed = { commitment: sha256(secret), secret: chance.maybe(0.9) ? secret : null };
    if (chance.maybe(0.5)) file.drawn_names = chance.shuffled(names);
  }

  get text() {
    return JSON.stringify(this.file);
  }
  must() {
    return F.readLeagueFile(this.text);
  }
  /* The answer of the engine, null where there is none. */
  due() {
    try {
      return F.pair(this.must());
    } catch (error) {
      if (error instanceof F.Impossible) return null;
      throw error;
    }
  }
  gone(name) {
    return this.file.departures.find((row) => row.name === name && row.rejoined === null);
  }
  get present() {
    return this.file.players.map(({ name }) => name).filter((name) => !this.gone(name));
  }
  list(key) {
    return (this.file[key] ??= []);
  }

  between(number) {
    const { chance, file, format } = this;
    const before = file.rounds.at(-1);
    const regular = !before || before.stage === "regular";
    const { late_entry: asked = 2, losses = 2, rejoin = "ask" } = file.settings;
    const latest = format === "two-loss-out" ? Math.min(asked, losses) : asked; // later they would be out at once
    for (let most = 4; most > 0 && chance.maybe(this.mood.left) && this.present.length > this.stay; most -= 1) {
      const kind = chance.maybe(0.7) ? "drop" : "disqualification";
      file.departures.push({
        name: chance.one(this.present),
        kind,
        round: number,
        after_pairing: false,
        rejoined: null,
      });
    }
    const back = format === "ohs" || SWISS.includes(format);
    for (const row of file.departures) {
      const free = row.rejoined === null && row.kind === "drop" && row.round < number;
      if (back && regular && rejoin !== "never" && free && chance.maybe(0.25)) row.rejoined = number;
    }
    if (regular && format !== "single-elimination" && number > 1 && number <= latest && chance.maybe(0.3)) {
      file.players.push({
        name: this.spare.pop(),
        entered: number,
        ...(chance.maybe(0.5) ? { rating: chance.rating() } : {}),
      });
    }
    const names = file.players.map(({ name }) => name);
    if (chance.maybe(0.3)) this.list("sat_out").push({ name: chance.one(names), round: number });
    if (chance.maybe(0.2) && this.spare.length > 2) this.substitute(chance.one(names), number);
    for (let i = chance.one([0, 0, 1, 2, 4]); i > 0; i -= 1) {
      const until = chance.one([null, number, number + 1, number + 3]);
      this.list("apart").push({
        players: chance.shuffled(names).slice(0, 2),
        round: number,
        ...(until === null && chance.maybe(0.5) ? {} : { until }),
      });
    }
    if (number > 1) this.decide(number, names);
    if (chance.maybe(0.05)) {
      const [key, text] = [sha256(`key ${number}`).slice(0, 32), `list ${number}`];
      const shown = chance.maybe(0.5) ? { key, text } : { key: null, text: null };
      this.list("lists").push({
        name: chance.one(names),
        number,
        round: null,
        sha256: sha256(`${key}/${text}`),
        ...shown,
      });
    }
    if (before && before.stage === "finals" && !file.forgotten && chance.maybe(0.15))
      this.forget(chance.one(file.players).name);
  }

  substitute(seat, number) {
    const rows = this.list("substitutes");
    if (rows.some((row) => row.seat === seat && row.round === number)) return;
    const sat = rows.filter((row) => row.seat === seat);
    const player = sat.length && this.chance.maybe(0.6) ? this.chance.one([seat, sat[0].player]) : this.spare.pop();
    rows.push({ seat, player, round: number, ...(this.chance.maybe(0.8) ? { rating: this.chance.rating() } : {}) });
  }

  /* Orders of an organiser: of a whole group of equals, of some of one, of anybody. */
  decide(number, names) {
    const { chance, format } = this;
    if (!chance.maybe(format === "lightseekers-swiss" ? 0.5 : 0.02)) return;
    for (let i = chance.one([1, 1, 2, 3]); i > 0; i -= 1) {
      const state = this.must().before(number);
      const compare = F.formats[format].comparisons?.(state) ?? [];
      const found = chance.one(state.names);
      const equals = state.names.filter((name) => compare.every((one) => one(found, name) === 0));
      const order = chance.shuffled(compare.length && chance.maybe(0.8) ? equals : names);
      const some = chance.maybe(0.25) ? order.slice(0, chance.whole(1, order.length)) : order;
      const late = this.file.rounds.at(-1).stage === "regular" && chance.maybe(0.25);
      const earlier = Math.max(1, number - (late ? 2 : 1));
      this.list("decisions").push({ after_round: earlier, order: some.slice(0, compare.length ? some.length : 5) });
    }
  }

  /* Give a player of a bracket that has begun another name: its first slots are kept, and what was drawn before can't be checked. */
  forget(name) {
    const season = this.must();
    const first =
      this.format === "single-elimination" ? 1 : season.rounds.findIndex(({ stage }) => stage === "finals") + 1;
    const { slots } = F.bracket(season, F.formats[this.format], first, first);
    const other = `Player ${this.file.players.findIndex((row) => row.name === name) + 1}`;
    const renamed = (value) => {
      if (Array.isArray(value)) return value.map(renamed);
      if (value && typeof value === "object")
        return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, renamed(inner)]));
      return value === name ? other : value;
    };
    this.file = renamed({ ...this.file, bracket: slots, forgotten: true });
    delete this.file.players.find((row) => row.name === other).former_names;
    for (const round of this.file.rounds) {
      if (round.stage !== "finals") round.by_hand ??= "a player was forgotten";
      for (const match of round.matches) delete match.dice_off;
    }
  }

  play(number, due) {
    const { chance, file } = this;
    const finals = due.stage === "finals";
    let pairs = due.matches.map(({ players }) => players);
    let bye = due.bye;
    const last = finals && pairs.length === 2 && file.settings.third_place; // nobody swaps the final and the third place
    const byHand = chance.maybe(this.mood.byHand) && pairs.length > 1 && !last;
    if (byHand && chance.maybe(0.3) && due.stage === "regular") {
      bye = [...(bye === null ? [] : [bye].flat()), ...pairs[0]];
      pairs = pairs.slice(1);
    } else if (byHand) {
      for (let i = chance.one([1, 1, 2, 3]); i > 0; i -= 1) {
        const [one, two] = chance.shuffled(pairs.map((_, at) => at));
        const [[a, b], [c, d]] = [pairs[one], pairs[two]];
        [pairs[one], pairs[two]] = chance.maybe(0.7)
          ? [
              [a, d],
              [c, b],
            ]
          : [
              [a, c],
              [b, d],
            ];
      }
    }
    const allLost = !finals && chance.maybe(this.mood.allLost);
    const matches = pairs.map((players, i) => {
      const match = this.scored(
        allLost ? { players, winner: null, games: null, kind: "double_loss" } : this.result(players, finals),
      );
      const { dice_off: dice } = byHand ? {} : due.matches[i];
      return dice && chance.maybe(0.6) ? { ...match, dice_off: dice } : match;
    });
    file.rounds.push({ number, stage: due.stage, bye, matches, ...(byHand ? { by_hand: "two wished it" } : {}) });
    for (
      let most = 3;
      matches.length && most > 0 && chance.maybe(this.mood.left) && this.present.length > this.stay;
      most -= 1
    ) {
      const match = chance.one(matches);
      const [leaver, stays] = chance.shuffled(match.players);
      if (match.players.some((name) => this.gone(name))) return;
      if (chance.maybe(0.7)) Object.assign(match, { kind: "forfeit", winner: stays, games: null });
      file.departures.push({ name: leaver, kind: "drop", round: number, after_pairing: true, rejoined: null });
    }
  }

  result(players, finals) {
    const { chance, file } = this;
    const skill = (name) => file.players.find((row) => row.name === name).rating?.mu ?? 25;
    const edge = (skill(players[0]) - skill(players[1])) / 20;
    const won = chance.next() < Math.min(0.95, Math.max(0.05, 0.5 + edge)) ? 0 : 1;
    const match = { players, winner: players[won], games: null, kind: "played" };
    const sort = chance.next();
    if (!finals && sort < this.mood.lost) return { ...match, winner: null, kind: "double_loss" };
    if (!finals && file.settings.draws && sort < this.mood.lost + 0.15)
      return { ...match, winner: "draw", games: chance.one([null, [1, 1]]) && this.bestOf(finals) > 2 ? [1, 1] : null };
    if (chance.maybe(0.15)) match.kind = chance.one(["forfeit", "forfeit", "adjudicated"]);
    if (chance.maybe(match.kind === "played" ? 0.6 : 0.2)) {
      const most = (this.bestOf(finals) + 1) / 2;
      match.games = won ? [chance.whole(0, most - 1), most] : [most, chance.whole(0, most - 1)];
    }
    if (this.format === "keyforge-swiss" && chance.maybe(0.03)) match.points = [chance.whole(0, 4), chance.whole(0, 4)];
    return match;
  }

  /* The match with a score, where the season has them: any, unless it was played. */
  scored(match) {
    const { chance, file } = this;
    const played = match.kind === "played";
    if (!file.settings.scores || !chance.maybe(played ? 0.9 : 0.4)) return match;
    const most = chance.one([3, 100, 9999]);
    const [more, less] = [chance.whole(0, most), chance.whole(0, most)].sort((a, b) => b - a);
    if (!played) return { ...match, score: chance.shuffled([more, less]) };
    if (match.winner === "draw") return { ...match, score: [more, more] };
    return { ...match, score: match.winner === match.players[0] ? [more, less] : [less, more] };
  }

  /* Games a match surely may have: the final may have more. */
  bestOf(finals) {
    const usual = this.format === "lightseekers-swiss" ? 3 : 1;
    const { best_of: all = usual, finals_best_of: some = usual, final_best_of: last = usual } = this.file.settings;
    return finals ? Math.min(some, last) : all;
  }

  whole() {
    let due = null;
    for (let number = 1; number < LATEST; number += 1) {
      if (number > 1 || this.chance.maybe(0.3)) this.between(number);
      due = this.due();
      if (due === null && this.file.sat_out) {
        this.file.sat_out = this.file.sat_out.filter((row) => row.round !== number);
        due = this.due();
      }
      if (due === null || !due.matches || (number > 1 && this.chance.maybe(0.02))) break;
      this.play(number, due);
    }
    const over = due !== null && !due.matches;
    const standings = F.standings(this.must()).map(
      ({ status, place, rating, tiebreaks, group, group_rank, ...row }) => ({
        ...row,
        tiebreaks: Object.fromEntries(Object.entries(tiebreaks).map(([key, { value }]) => [key, value])),
      }),
    );
    const champion = over ? (due.champion ?? due.qualified?.[0] ?? null) : null;
    this.file.final = { ended: over ? "rules" : this.chance.one(["finished", "cancelled"]), champion, standings };
    return this.text;
  }
}

/* A round robin: its table goes on whoever is left, with open rounds in any order, and people leave at any time. */
class RoundRobin extends Played {
  must() {
    const { file, chance } = this;
    if (file.rounds.length || this.grouped) return super.must();
    this.grouped = true;
    const { settings, players } = file;
    if (settings.grouping === "given") this.give(players.length);
    if (settings.grouping === "divisions")
      file.ladder = chance.shuffled([...players.map(({ name }) => name), "Nobody here"]).slice(chance.whole(0, 3));
    for (let tries = 0; ; tries += 1) {
      try {
        return super.must();
      } catch (error) {
        if (!(error instanceof F.Invalid) || tries > 2) throw error;
        delete settings.through; // of one group, or too many rounds
        if (tries) delete settings.meetings;
        if (tries > 1 && settings.grouping !== "given") settings.group_size = 6;
      }
    }
  }

  give(size) {
    const groups = this.chance.whole(1, Math.floor(size / 2));
    this.file.players.forEach((row, i) => Object.assign(row, { group: (i % groups) + 1 }));
  }

  /* The number of the last regular round. */
  get last() {
    return F.formats["round-robin"].rounds(this.must());
  }

  /* Somebody leaves before round `number` is paired, if it's the next. */
  between(number) {
    const { chance, file } = this;
    const open = file.settings.schedule === "open";
    if (number > 1 && (!open || number > this.last)) {
      for (let most = 3; most > 0 && chance.maybe(this.mood.left / 2) && this.present.length > this.stay; most -= 1) {
        const kind = chance.maybe(0.7) ? "drop" : "disqualification";
        file.departures.push({
          name: chance.one(this.present),
          kind,
          round: number,
          after_pairing: false,
          rejoined: null,
        });
      }
    }
    const names = file.players.map(({ name }) => name);
    if (chance.maybe(0.1)) this.list("sat_out").push({ name: chance.one(names), round: number });
    if (chance.maybe(0.1))
      this.list("apart").push({ players: chance.shuffled(names).slice(0, 2), round: number, until: null });
    if (chance.maybe(0.2) && this.spare.length > 2 && (!open || number > this.last))
      this.substitute(chance.one(names), number);
  }

  play(number, due) {
    if (due.stage === "finals") {
      super.play(number, due);
      return;
    }
    const { chance, file } = this;
    const open = file.settings.schedule === "open";
    const matches = due.matches.map(({ players, dice_off: dice }) => {
      const match =
        this.forfeited(players) ??
        this.scored(
          chance.maybe(0.03)
            ? { players, winner: null, games: null, kind: "double_loss" }
            : this.result(players, false),
        );
      if (chance.maybe(0.05) && match.winner) match.points = [chance.whole(0, 4), chance.whole(0, 4)];
      return dice && chance.maybe(0.6) ? { ...match, dice_off: dice } : match;
    });
    file.rounds.push({ number, stage: "regular", bye: null, matches });
    if (open && number < this.last) return;
    if (chance.maybe(this.mood.left)) this.leave(open ? file.rounds : file.rounds.slice(-1), number);
  }

  /* The match of who is gone. */
  forfeited(players) {
    const stays = players.filter((name) => !this.gone(name));
    if (stays.length === 2) return null;
    return { players, winner: stays[0] ?? null, games: null, kind: stays.length ? "forfeit" : "double_loss" };
  }

  /* Somebody leaves after the pairing of `rounds`; some of their matches in them become forfeits. */
  leave(rounds, number) {
    const { chance, file } = this;
    const leaver = chance.one(file.players).name;
    if (this.gone(leaver) || this.present.length <= this.stay) return;
    for (const { matches } of rounds) {
      for (const match of matches.filter(({ players }) => players.includes(leaver))) {
        const stays = match.players.find((name) => name !== leaver);
        if (chance.maybe(0.6) && !this.gone(stays)) {
          delete match.points;
          delete match.score;
          Object.assign(match, { kind: "forfeit", winner: stays, games: null });
        }
      }
    }
    file.departures.push({ name: leaver, kind: "drop", round: number, after_pairing: true, rejoined: null });
  }
}

/* A round robin whose matches are all open at once. */
class Open extends RoundRobin {
  constructor(_, seed) {
    super("round-robin", `open ${seed}`, { schedule: "open" });
  }

  play(number, due) {
    super.play(number, due);
    if (number === this.last) this.running = this.whileSomeWere();
  }

  /* The file while some matches were open, also of those who had left. */
  whileSomeWere() {
    const { chance, file } = this;
    const share = chance.one([0.1, 0.5, 0.9, 1]);
    const rounds = file.rounds.map(({ matches, ...round }) => ({
      ...round,
      matches: matches.map((match) => {
        if (!chance.maybe(share)) return match;
        const { players, dice_off: dice } = match;
        return { players, winner: null, games: null, kind: "open", ...(dice ? { dice_off: dice } : {}) };
      }),
    }));
    return JSON.stringify({ ...file, rounds });
  }
}

const [format, from, to] = process.argv.slice(2);
const Kind = { "round-robin": RoundRobin, open: Open }[format] ?? Played;
for (let seed = Number(from); seed < Number(to); seed += 1) {
  const season = new Kind(format, seed);
  const whole = season.whole();
  if (season.running) console.log(season.running);
  console.log(whole);
}
