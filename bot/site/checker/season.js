/* A season as its file tells it, and what is true of it before a round is paired. */
((F) => {
  "use strict";

  const RATED = ["played", "adjudicated"];
  const key = (a, b) => (a < b ? `${a}\n${b}` : `${b}\n${a}`);
  const byCodePoint = (a, b) => {
    const [left, right] = [Array.from(a), Array.from(b)];
    for (let i = 0; i < left.length && i < right.length; i += 1) {
      if (left[i] !== right[i]) return left[i].codePointAt(0) - right[i].codePointAt(0);
    }
    return left.length - right.length;
  };

  class Season {
    constructor() {
      this.settings = {};
      this.players = new Map();
      this.past = [];
      this.rounds = [];
      this.departures = [];
      this.decisions = [];
      this.satOut = [];
      this.substitutes = [];
      this.apart = [];
      this.bracket = null;
      this.ladder = [];
      this.groups = null;
      this.states = new Map();
      this.draws = new Map();
      this.ties = new Set(); // rounds whose draw decided between equals, as noted since it was last emptied
    }

    /* The name of an entrant in NFC; refuses what is no entrant's. */
    entrant(node) {
      const name = node.name();
      if (!this.players.has(name)) node.wrong(`${name} is not among the players`);
      return name;
    }

    /* The draw of a name: hexadecimal digits, compared as text. */
    draw(round, purpose, name) {
      const { salt } = this.settings;
      const text = [this.number, round, purpose, ...(salt === null ? [] : [salt]), name].join("/");
      if (!this.draws.has(text)) this.draws.set(text, F.sha256(text));
      return this.draws.get(text);
    }

    byDraw(names, round, purpose) {
      return names.slice().sort((a, b) => (this.draw(round, purpose, a) < this.draw(round, purpose, b) ? -1 : 1));
    }

    smallest(names, round, purpose) {
      return this.byDraw(names, round, purpose)[0];
    }

    /* What is true when round `n` is paired. */
    before(n) {
      if (!this.states.has(n)) this.states.set(n, new State(this, n));
      return this.states.get(n);
    }

    /* The same with those who enter only later, as they stand in tables. */
    withComing(n) {
      return new State(this, n, Infinity);
    }

    /* Entrants with round 1 as their first who are not gone before it is paired. */
    get fieldAtStart() {
      return this.before(1).present.length;
    }

    /* The person who sits in a seat in a round. */
    person(seat, round) {
      let found = seat;
      let since = 0;
      for (const row of this.substitutes) {
        if (row.seat === seat && row.round <= round && row.round > since) [found, since] = [row.player, row.round];
      }
      return found;
    }

    /* All names somebody of this season went by, each with the name they have now. */
    get knownAs() {
      if (!this.names) {
        this.names = new Map();
        const people = [
          ...this.players.values(),
          ...this.substitutes.map(({ player, former }) => ({ name: player, former })),
        ];
        for (const { name, former } of people) for (const old of former) this.names.set(old, name);
        for (const { name } of people) this.names.set(name, name);
      }
      return this.names;
    }

    /* The pairs of people who met in one of the seasons `numbers`. */
    metBefore(numbers) {
      const met = new Set();
      for (const { number, matches } of this.past) {
        if (!numbers.includes(number)) continue;
        for (const [a, b] of matches) {
          if (this.knownAs.has(a) && this.knownAs.has(b)) met.add(key(this.knownAs.get(a), this.knownAs.get(b)));
        }
      }
      return met;
    }

    isApart(a, b, round) {
      return this.apart.some(
        ({ players, round: from, until }) =>
          players.includes(a) && players.includes(b) && from <= round && round < until,
      );
    }

    isGone(name, round) {
      return this.departures.find(
        (gone) =>
          gone.name === name &&
          (gone.afterPairing ? round > gone.round : round >= gone.round) &&
          (gone.rejoined === null || round < gone.rejoined),
      );
    }
  }

  /* What is true of a season when round `n` is paired. */
  class State {
    constructor(season, n, latest = n) {
      Object.assign(this, { season, n, rounds: season.rounds.slice(0, n - 1) });
      this.counted = this.rounds.filter(
        ({ stage }) => stage === "regular" || (stage === "finals" && season.format === "single-elimination"),
      );
      this.names = [...season.players.values()].filter(({ entered }) => entered <= latest).map(({ name }) => name);
      this.present = this.names.filter((name) => !this.gone(name));
    }

    /* The record of everybody. */
    get records() {
      if (!this.counts) this.counts = new Map(this.names.map((name) => [name, this.record(name)]));
      return this.counts;
    }

    /* Their departure, if they are gone. */
    gone(name) {
      return this.season.isGone(name, this.n);
    }

    get playing() {
      const out = new Set(this.season.satOut.filter(({ round }) => round === this.n).map(({ name }) => name));
      return this.present.filter((name) => !out.has(name));
    }

    record(name) {
      const { season } = this;
      const { points: scale } = season.settings;
      const format = F.formats[season.format];
      const record = {
        name,
        wins: 0,
        losses: 0,
        draws: 0,
        byes: 0,
        points: 0,
        rounds: 0,
        missed: 0,
        opponents: [],
        beaten: [],
        games: [0, 0],
      };
      if (format?.record) return Object.assign(record, format.record(this, name));
      for (const round of this.counted) {
        const match = round.matches.find(({ players }) => players.includes(name));
        if (match) this.count(record, match);
        else if (round.byes.includes(name)) {
          record.byes += 1;
          record.wins += 1;
          record.points += scale.bye;
          record.rounds += 1;
        } else if (this.missed(name, round.number)) {
          record.losses += 1;
          record.points += scale.loss;
          record.rounds += 1;
          record.missed += 1;
        }
      }
      if (season.format !== "keyforge-swiss") record.points = record.wins;
      return record;
    }

    count(record, match) {
      const { players, winner, kind, points } = match;
      if (kind === "open") return;
      const { points: scale } = this.season.settings;
      const mine = players.indexOf(record.name);
      const outcome = winner === "draw" ? "draw" : winner === record.name ? "win" : "loss";
      record[{ win: "wins", draw: "draws", loss: "losses" }[outcome]] += 1;
      record.points += points ? points[mine] : scale[outcome];
      record.rounds += 1;
      record.opponents.push(players[1 - mine]);
      if (outcome === "win") record.beaten.push(players[1 - mine]);
      const games = this.gamesOf(match);
      if (games) {
        record.games[0] += games[mine];
        record.games[1] += games[0] + games[1];
      }
    }

    /* The games of a match that count: in Lightseekers a forfeit without any is the shortest win. */
    gamesOf({ players, winner, kind, games }) {
      const { season } = this;
      if (games || kind !== "forfeit" || season.format !== "lightseekers-swiss") return games;
      const needed = (F.mostGames(season, "best_of") + 1) / 2;
      return players.map((name) => (name === winner ? needed : 0));
    }

    /* Whether a round without match or bye is an unpaired loss of theirs. */
    missed(name, number) {
      const { season } = this;
      const { entered } = season.players.get(name);
      if (entered > number) return entered <= this.n; // they came later
      const gone = season.isGone(name, number);
      if (gone) return gone.rejoined !== null && gone.rejoined <= this.n;
      const sat = season.satOut.some((row) => row.name === name && row.round === number);
      return sat && (season.format === "record" || F.formats[season.format].wouldPlay(season.before(number), name));
    }

    /* The rating of everybody in a seat of this round, by the results before it. */
    get ratings() {
      if (!this.rated) {
        const { season } = this;
        const people = new Map();
        const rating = (seat, round) => {
          const person = season.person(seat, round);
          if (!people.has(person)) {
            const row = season.substitutes.find(({ player, seat: place }) => player === person && place !== person);
            people.set(person, (season.players.get(person) || row).rating);
          }
          return [person, people.get(person)];
        };
        for (const { number, matches } of this.rounds) {
          for (const { players, winner, kind } of matches) {
            const drawn = winner === "draw";
            if (!RATED.includes(kind) || (drawn && !(season.settings.rating.draw_probability > 0))) continue;
            const ordered = drawn || players[0] === winner ? players : [players[1], players[0]];
            const two = ordered.map((seat) => rating(seat, number));
            F.rate(two[0][1], two[1][1], drawn, season.settings.rating).forEach((after, i) =>
              people.set(two[i][0], after),
            );
          }
        }
        this.rated = new Map(this.names.map((seat) => [seat, rating(seat, this.n)[1]]));
      }
      return this.rated;
    }

    /* Whether two met in a round before this one, of all or of one stage. */
    met(a, b, stages = null) {
      if (!this.meetings) {
        this.meetings = new Map();
        for (const { stage, matches } of this.rounds) {
          for (const { players } of matches) {
            const pair = key(...players);
            this.meetings.set(pair, [...(this.meetings.get(pair) || []), stage]);
          }
        }
      }
      const found = this.meetings.get(key(a, b));
      return Boolean(found) && (stages === null || found.some((stage) => stages.includes(stage)));
    }

    /* Best first: mu less three sigma, then the draw. */
    ranking(names, drawRound) {
      const exposures = new Map(names.map((name) => [name, F.exposure(this.ratings.get(name))]));
      return this.sort(names, drawRound, (a, b) => F.compare(exposures.get(b), exposures.get(a)));
    }

    /* Sort by comparisons one after another, then by the draw for ties. */
    sort(names, drawRound, ...comparisons) {
      const { season } = this;
      return names.slice().sort((a, b) => {
        for (const compare of comparisons) {
          const found = compare(a, b);
          if (found) return found;
        }
        if (a !== b) season.ties.add(drawRound);
        return F.compare(season.draw(drawRound, "tiebreak", a), season.draw(drawRound, "tiebreak", b));
      });
    }

    /* OHS: the mean chance of a new player against the opponents, in whole billionths; 0 for byes and missed rounds. */
    get ohsStrength() {
      if (!this.strengths) {
        const { mu, sigma, beta } = this.season.settings.rating;
        const chances = new Map();
        for (const [name, rating] of this.ratings) {
          const spread = Math.sqrt(2 * beta * beta + rating.sigma * rating.sigma + sigma * sigma);
          chances.set(name, F.phi((rating.mu - mu) / spread));
        }
        this.strengths = new Map(
          [...this.records.values()].map(({ name, opponents, byes, missed }) => {
            const values = [...opponents.map((other) => chances.get(other)), ...new Array(byes + missed).fill(0)];
            return [name, values.length ? F.mean(values) : 0];
          }),
        );
      }
      return this.strengths;
    }
  }

  F.compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  Object.assign(F, { Season, byCodePoint, pairKey: key });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
