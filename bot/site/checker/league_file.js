/* The league file of one season: what may stand in it, and its names in Unicode NFC. */
((F) => {
  "use strict";

  const FORMATS = [
    "ohs",
    "two-loss-out",
    "keyforge-swiss",
    "lightseekers-swiss",
    "single-elimination",
    "round-robin",
    "record",
  ];
  const KINDS = ["played", "forfeit", "double_loss", "adjudicated", "open"];
  const STAGES = ["regular", "tiebreak", "finals"];
  const GAMES = 99;
  const POINTS = 1000;
  const SCORE = 9999;
  const SEASONS = 1_000_000;

  const names = (node) => node.given([], (list) => list.list().map((name) => name.name()));
  const rows = (node, read) => node.given([], (list) => list.list().map(read));

  function readPair(node, season) {
    const players = node.two((name) => season.entrant(name));
    if (players[0] === players[1]) node.wrong("must be two different names");
    return players;
  }

  function readMatch(node, season, stage) {
    node.object(["players", "winner", "games", "kind", "points", "score", "dice_off"]);
    const players = readPair(node.at("players"), season);
    const kind = node.at("kind").or(node.has("winner") ? "played" : "open", (word) => word.among(KINDS));
    const winner = node.at("winner").or(null, (name) => (name.value === "draw" ? "draw" : season.entrant(name)));
    if (winner !== null && winner !== "draw" && !players.includes(winner))
      node.at("winner").wrong("is not in this match");
    if ((kind === "open" || kind === "double_loss") !== (winner === null))
      node.at("winner").wrong(`doesn't go with ${kind}`);
    const record = season.format === "record";
    const finals = stage === "finals" && !record;
    if (winner === "draw" && (kind === "forfeit" || !(record || (season.settings.draws && stage === "regular"))))
      node.at("winner").wrong("can't be a draw");
    if (kind === "double_loss" && finals) node.at("kind").wrong("somebody must go on in a bracket");
    const two = (key, most) => node.at(key).or(null, (both) => both.two((value) => value.whole(0, most)));
    const [games, points, score] = [two("games", GAMES), two("points", POINTS), two("score", SCORE)];
    if (kind === "open" && (games || points || score)) node.wrong("an open match has no games, no points and no score");
    if (score !== null) checkScore(node.at("score"), season, { players, winner, kind, score });
    const diceOff = node.at("dice_off").or(null, (name) => season.entrant(name));
    if (diceOff !== null && !players.includes(diceOff)) node.at("dice_off").wrong("is not in this match");
    if (diceOff !== null && season.settings.dice_off === "off")
      node.at("dice_off").wrong("the setting dice_off is off");
    return { players, winner, kind, games, points, score, diceOff };
  }

  /* A match has a score only where the season has them; of one that was played it goes with who won. */
  function checkScore(node, season, { players, winner, kind, score: [upper, lower] }) {
    if (!season.settings.scores) node.wrong("the setting scores is off");
    if (kind !== "played") return;
    const ahead = upper === lower ? null : players[upper > lower ? 0 : 1];
    if (ahead !== null && ahead !== winner)
      node.wrong(winner === "draw" ? "is not that of a draw" : "is lower for who won");
  }

  function readRound(node, season) {
    node.object(["number", "stage", "bye", "matches", "by_hand"]);
    const stage = node.at("stage").given("regular", (word) => word.among(STAGES));
    const bye = node.at("bye");
    const byes = Array.isArray(bye.value)
      ? bye.list().map((name) => season.entrant(name))
      : bye.or([], () => [season.entrant(bye)]);
    return {
      number: node.at("number").round(),
      stage,
      byes,
      matches: node
        .at("matches")
        .list()
        .map((match) => readMatch(match, season, stage)),
      byHand: node
        .at("by_hand")
        .or(null, () => (node.at("by_hand").text() === "a player was forgotten" ? "forgotten" : "organiser")),
    };
  }

  const FIELDS = [
    "fairpair",
    "league",
    "season",
    "format",
    "settings",
    "players",
    "past_seasons",
    "rounds",
    "departures",
    "decisions",
    "sat_out",
    "substitutes",
    "lists",
    "ladder",
    "ladder_of",
    "groups",
    "apart",
    "sealed",
    "drawn_names",
    "forgotten",
    "bracket",
    "final",
  ];

  function readPlayers(node, season) {
    const seeds = new Set();
    const formerly = new Set();
    for (const row of node.list()) {
      row.object(["name", "rating", "entered", "seed", "former_names", "group"]);
      const name = row.at("name").name();
      if (season.players.has(name)) row.at("name").wrong("stands twice");
      const seed = row.at("seed").or(null, (number) => number.whole(1, SEASONS));
      if (seeds.has(seed)) row.at("seed").wrong("stands twice");
      if (seed !== null) seeds.add(seed);
      const former = new Set(names(row.at("former_names")));
      for (const old of former) if (formerly.has(old)) row.at("former_names").wrong(`${old} was somebody else`);
      for (const old of former) formerly.add(old);
      season.players.set(name, {
        name,
        written: row.at("name").value,
        rating: F.readRating(row.at("rating"), season.settings.rating),
        entered: row.at("entered").given(1, (round) => round.round()),
        seed,
        former: [...former],
        group: row.at("group").or(null, (group) => readGroup(group, season)),
      });
    }
  }

  /* The number of somebody's group, which stands only where groups are given. */
  function readGroup(node, season) {
    if (season.format !== "round-robin" || season.settings.grouping !== "given")
      node.wrong("stands only with grouping given");
    return node.whole(1, SEASONS);
  }

  function readSubstitutes(node, season) {
    const seats = new Map();
    for (const row of rows(node, (one) => one)) {
      row.object(["seat", "player", "round", "rating", "former_names"]);
      const seat = season.entrant(row.at("seat"));
      const player = row.at("player").name();
      const round = row.at("round").round();
      if (player !== seat && season.players.has(player)) row.at("player").wrong("has a seat of their own");
      if ((seats.get(player) ?? seat) !== seat) row.wrong(`${player} is in two seats`);
      if (seats.has(`${round}/${seat}`)) row.wrong(`two rows for ${seat} in round ${round}`);
      seats.set(player, seat).set(`${round}/${seat}`, seat);
      const rating = F.readRating(row.at("rating"), season.settings.rating);
      season.substitutes.push({ seat, player, round, rating, former: names(row.at("former_names")) });
    }
  }

  function readPastSeason(node, season) {
    node.object(["season", "matches", "rounds"]);
    const number = node.at("season").whole(0, SEASONS);
    if (number >= season.number) node.at("season").wrong("is not before this season");
    if (season.past.some((other) => other.number === number)) node.at("season").wrong("stands twice");
    const matches = node
      .at("matches")
      .list()
      .map((two) => {
        const met = two.two((name) => name.text().normalize("NFC"));
        if (met[0] === met[1]) two.wrong("must be two different names");
        return met;
      });
    const rounds = node
      .at("rounds")
      .given(null, (list) => list.list().map((round) => round.or(null, () => round.round())));
    if (rounds && rounds.length !== matches.length)
      node.at("rounds").wrong(`must be ${matches.length}, one for each match`);
    season.past.push({ number, rounds: rounds ?? [], matches });
  }

  function readRounds(list, season) {
    const lost = new Set(); // who lost a match of the finals
    list.forEach((node, i) => {
      const round = readRound(node, season);
      const before = season.rounds.at(-1);
      if (round.number !== i + 1) node.at("number").wrong(`must be ${i + 1}`);
      if (before && STAGES.indexOf(round.stage) < STAGES.indexOf(before.stage))
        node.at("stage").wrong(`can't follow a round of stage ${before.stage}`);
      const there = [...round.byes, ...round.matches.flatMap(({ players }) => players)];
      if (!there.length) node.wrong("has neither a match nor a bye");
      there.forEach((name, at) => {
        if (there.indexOf(name) < at) node.wrong(`${name} stands twice`);
        if (season.players.get(name).entered > round.number) node.wrong(`${name} enters only later`);
      });
      if (season.format !== "record") checkGames(node, season, round, lost);
      season.rounds.push(round);
    });
  }

  /* Whether the games of a round can be those of its matches. */
  function checkGames(node, season, { matches, byes, stage }, lost) {
    const inside = (players) => players.filter((name) => !lost.has(name));
    const left = inside([...byes, ...matches.flatMap(({ players }) => players)]);
    const isFinal = ({ players }) => left.length === 2 && inside(players).length === 2;
    matches.forEach((match, i) => {
      const key = stage !== "finals" ? "best_of" : isFinal(match) ? "final_best_of" : "finals_best_of";
      if (match.games && !arePossible(match, F.mostGames(season, key)))
        node.at("matches").list()[i].at("games").wrong("can't be the games of this match");
    });
    if (stage !== "finals") return;
    for (const { players, winner } of matches)
      for (const name of players) if (winner !== null && name !== winner) lost.add(name);
  }

  function arePossible({ players, winner, kind, games }, bestOf) {
    const needed = bestOf === null ? Infinity : (bestOf + 1) / 2;
    const [more, less] = winner === players[1] ? [games[1], games[0]] : games;
    if (kind === "played") return winner === "draw" ? more === less && more < needed : more > less && more <= needed;
    if (winner === "draw" || winner === null) return Math.max(more, less) <= needed && Math.min(more, less) < needed;
    return more <= needed && less < needed;
  }

  function readDeparture(node, season) {
    node.object(["name", "kind", "round", "after_pairing", "rejoined"]);
    const gone = {
      name: season.entrant(node.at("name")),
      kind: node.at("kind").among(["drop", "disqualification"]),
      round: node.at("round").round(),
      afterPairing: node.at("after_pairing").given(false, (yes) => yes.yes()),
      rejoined: node.at("rejoined").or(null, (round) => round.round()),
    };
    if (gone.afterPairing && gone.round > season.rounds.length)
      node.at("round").wrong("is not paired yet, so nobody left after its pairing");
    if (gone.rejoined !== null) {
      const back = node.at("rejoined");
      if (gone.rejoined <= gone.round) back.wrong("must be after they left");
      if (gone.kind === "disqualification") back.wrong("nobody comes back from a disqualification");
      if (season.format !== "record" && season.settings.rejoin === "never")
        back.wrong("nobody comes back in this season");
    }
    return gone;
  }

  const isTable = ({ format }, { stage }) => format === "round-robin" && stage === "regular";

  /* Nobody leaves who is gone, and nobody plays who is gone. */
  function checkDepartures(file, season) {
    const list = season.departures.map((gone, i) => ({ ...gone, node: file.at("departures").list()[i] }));
    list.sort((a, b) => a.round - b.round);
    list.forEach(({ name, round, node }, i) => {
      const before = list
        .slice(0, i)
        .filter((other) => other.name === name)
        .at(-1);
      if (before && (before.rejoined ?? Infinity) > round) node.wrong(`${name} had left before`);
    });
    for (const round of season.rounds) {
      for (const name of [...round.byes, ...round.matches.flatMap(({ players }) => players)]) {
        if (isTable(season, round)) continue; // a table goes on, whoever is left
        if (season.isGone(name, round.number))
          file.at("rounds").wrong(`${name} is in round ${round.number} but had left`);
      }
    }
  }

  /* An open match of somebody who left after its pairing is theirs no more: whoever left first has lost it. */
  function decideLeft(file, season) {
    const isOpen = ({ kind }) => kind === "open";
    const stayOpen = season.format === "round-robin"; // there it is a forfeit only once that is entered
    season.rounds.forEach(({ number, matches }, i) => {
      for (const match of stayOpen ? [] : matches.filter(isOpen)) {
        const left = season.departures.find(
          ({ name, round, afterPairing }) => afterPairing && round === number && match.players.includes(name),
        );
        if (left) Object.assign(match, { kind: "forfeit", winner: match.players.find((name) => name !== left.name) });
      }
      const canWait = stayOpen && season.rounds.at(-1).stage === "regular"; // who is back plays what they had forfeited
      if (number < season.rounds.length && matches.some(isOpen) && !canWait)
        file.at("rounds").list()[i].wrong("has an open match, and rounds follow");
    });
  }

  /* Nobody enters later than the season lets them, or already out; nobody enters or comes back once the regular stage is over. */
  function checkComings(file, season) {
    const { format, settings } = season;
    if (format === "record") return;
    const latest = Math.min(settings.late_entry, format === "two-loss-out" ? settings.losses : Infinity);
    const other = format === "single-elimination" ? -1 : season.rounds.findIndex(({ stage }) => stage !== "regular");
    const end = other < 0 ? Infinity : other + 1;
    const check = (rows, key, values, last) =>
      values.forEach(
        (round, i) => round > last && file.at(rows).list()[i].at(key).wrong(`nobody comes after round ${last}`),
      );
    check(
      "players",
      "entered",
      [...season.players.values()].map(({ entered }) => entered),
      Math.min(latest, end),
    );
    check(
      "departures",
      "rejoined",
      season.departures.map(({ rejoined }) => rejoined),
      end,
    );
  }

  function readDecision(node, season) {
    node.object(["after_round", "order"]);
    const afterRound = node.at("after_round").round();
    if (afterRound > season.rounds.length) node.at("after_round").wrong("is not paired yet");
    const order = node
      .at("order")
      .list()
      .map((name) => season.entrant(name));
    if (new Set(order).size < order.length) node.at("order").wrong("names somebody twice");
    season.decisions.push({ afterRound, order });
  }

  function readApart(node, season) {
    node.object(["players", "round", "until"]);
    const players = readPair(node.at("players"), season);
    return { players, round: node.at("round").round(), until: node.at("until").or(Infinity, (round) => round.round()) };
  }

  /* Army and deck lists: nothing is computed from them, but one that is revealed must be the one that was sealed. */
  function readLists(node, season) {
    const seen = new Set();
    for (const row of rows(node, (one) => one)) {
      row.object(["name", "number", "round", "sha256", "key", "text"]);
      const round = row.at("round").or(null, (number) => number.round());
      const id = `${row.at("number").whole(1, 1000)}/${round}/${season.entrant(row.at("name"))}`;
      if (seen.has(id)) row.wrong("stands twice");
      seen.add(id);
      const hash = row.at("sha256").hex();
      const [key, text] = ["key", "text"].map((name) => row.at(name).or(null, (one) => one.text()));
      if ((key === null) !== (text === null)) row.wrong("key and text are revealed together");
      if (key !== null && F.sha256(`${key}/${text}`) !== hash) row.at("sha256").wrong("is not that of KEY/TEXT");
    }
  }

  function readSealed(node, season) {
    node.object(["commitment", "secret"]);
    const sealed = {
      commitment: node.at("commitment").hex(),
      secret: node.at("secret").or(null, (secret) => secret.hex()),
    };
    if (sealed.secret && season.settings.salt === null)
      node.wrong("the secret is there, so settings.salt must be, too");
    return sealed;
  }

  function readDrawnNames(node, season) {
    const drawn = node.list().map((name) => season.entrant(name));
    if (new Set(drawn).size < drawn.length) node.wrong("names somebody twice");
    return drawn;
  }

  /* The first slots of a bracket that had begun when a player was forgotten. */
  function readBracket(node, season) {
    if (!season.forgotten) node.wrong("stands only in a file with forgotten: true");
    const slots = node.list().map((name) => name.or(null, () => season.entrant(name)));
    if (!Number.isInteger(Math.log2(slots.length)))
      node.wrong(`has ${slots.length} slots; a bracket has 2, 4, 8, 16, ...`);
    const seated = slots.filter((name) => name !== null);
    if (new Set(seated).size < seated.length) node.wrong("names someone twice");
    return slots;
  }

  /* A bracket halves with each round of the finals. */
  function checkBracket(file, season) {
    const played = season.rounds.filter((round) => round.stage === "finals").length;
    const small = season.format !== "record" && season.bracket && 2 ** played > season.bracket.length;
    if (small) file.at("bracket").wrong("has too few slots for the rounds the finals have");
  }

  /* By hand, no player of the final changes places with one of the match for third place. */
  function checkThirdPlace(file, season) {
    if (season.format !== "single-elimination" || !season.settings.third_place) return;
    const number = Math.log2(season.bracket ? season.bracket.length : F.powerAbove(season.fieldAtStart));
    const [semis, last] = [season.rounds[number - 2], season.rounds[number - 1]];
    if (!semis || !last || !last.byHand) return;
    const losers = semis.matches.flatMap(({ players, winner }) => players.filter((name) => name !== winner));
    const finalists = [...semis.byes, ...semis.matches.map(({ winner }) => winner)];
    last.matches.forEach(({ players: [a, b] }, i) => {
      const mixed = (finalists.includes(a) && losers.includes(b)) || (losers.includes(a) && finalists.includes(b));
      if (mixed)
        file
          .at("rounds")
          .list()
          [number - 1].at("matches")
          .list()
          [i].at("players")
          .wrong("are of the final and of the match for third place");
    });
  }

  /* Read the text of a league file; raises Invalid with the place of what is wrong. */
  function readLeagueFile(text) {
    const file = new F.Node(F.readJson(text), "").object(FIELDS);
    if (file.at("fairpair").whole(1, Number.MAX_SAFE_INTEGER) > 1)
      file.at("fairpair").wrong("a newer version than this checker knows");
    const season = new F.Season();
    season.league = file.at("league").text();
    if (Array.from(season.league).length > 200) file.at("league").wrong("has more than 200 characters");
    season.number = file.at("season").whole(0, SEASONS);
    season.format = file.at("format").among(FORMATS);
    season.swiss = season.format.endsWith("-swiss");
    season.settings = F.readSettings(
      file.at("settings").given(new F.Node(new Map(), "settings"), (node) => node),
      season.format,
    );
    readPlayers(file.at("players"), season);
    readSubstitutes(file.at("substitutes"), season);
    rows(file.at("past_seasons"), (row) => readPastSeason(row, season));
    readRounds(
      rows(file.at("rounds"), (row) => row),
      season,
    );
    season.departures = rows(file.at("departures"), (row) => readDeparture(row, season));
    decideLeft(file, season);
    checkDepartures(file, season);
    checkComings(file, season);
    rows(file.at("decisions"), (row) => readDecision(row, season));
    season.satOut = rows(file.at("sat_out"), (row) => {
      row.object(["name", "round"]);
      return { name: season.entrant(row.at("name")), round: row.at("round").round() };
    });
    season.apart = rows(file.at("apart"), (row) => readApart(row, season));
    season.sealed = file.at("sealed").or(null, (node) => readSealed(node, season));
    season.drawnNames = file.at("drawn_names").or(null, (node) => readDrawnNames(node, season));
    season.forgotten = file.at("forgotten").given(false, (node) => node.yes());
    season.bracket = file.at("bracket").or(null, (node) => readBracket(node, season));
    F.readRoundRobin(file, season);
    season.final = file.at("final").or(null, (node) => readFinal(node, season));
    readLists(file.at("lists"), season);
    checkBracket(file, season);
    checkThirdPlace(file, season);
    return season;
  }

  function readFinal(node, season) {
    node.object(["ended", "champion", "kept", "standings"]);
    const kept = node.at("kept").given(false, (value) => value.yes());
    if (kept && !season.forgotten) node.at("kept").wrong("stands only in a file with forgotten: true");
    return {
      kept,
      ended: node.at("ended").among(["rules", "finished", "cancelled"]),
      champion: node.at("champion").or(null, (name) => season.entrant(name)),
      standings: node
        .at("standings")
        .list()
        .map((row) => {
          row.object(["rank", "name", "points", "wins", "losses", "draws", "byes", "tiebreaks"]);
          const read = { name: season.entrant(row.at("name")), tiebreaks: Object.create(null) };
          for (const key of ["rank", "points", "wins", "losses", "draws", "byes"])
            read[key] = row.at(key).whole(0, Number.MAX_SAFE_INTEGER);
          const tiebreaks = row.at("tiebreaks");
          if (!(tiebreaks.value instanceof Map)) tiebreaks.wrong("must be an object");
          for (const key of tiebreaks.value.keys()) read.tiebreaks[key] = tiebreaks.at(key).number();
          return read;
        }),
    };
  }

  F.readLeagueFile = readLeagueFile;
})((globalThis.Fairpair = globalThis.Fairpair || {}));
