/* The page: takes a file, asks before it checks a large one, goes round by round, and shows what was found. */
((F) => {
  "use strict";

  const { bold, breathe, code, el, mark, named, table } = F.parts;
  const W = F.words;
  const LARGE = 3_000_000; // bytes
  const CROWD = 600; // players
  const at = (id) => document.getElementById(id);
  const show = (id, ...nodes) => at(id).replaceChildren(...nodes.flat().filter(Boolean));

  // A season's own page has its file beside it, as a script that only says the text and the name of the download.
  const preset = globalThis.fairpair ?? {};
  const isPreset = typeof preset.file === "string";

  let turn = 0; // which file is being checked: a newer one ends the work on an older one

  async function take(bytes, name) {
    const mine = (turn += 1);
    show("findings");
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      refuse(
        name,
        "It isn't text in UTF-8. Take the file as the league gives it, and don't save it from another program.",
      );
      return;
    }
    await takeText(text, name, mine);
  }

  async function takeText(text, name, mine, own = false) {
    if (text.length > LARGE) {
      const size = `${(text.length / 1e6).toFixed(1)} MB`;
      if (
        !(await agreed(
          `${name} is large (${size}). Checking it can take minutes, and this page may not answer meanwhile.`,
        ))
      )
        return;
    }
    waiting(`Reading ${name} …`);
    await breathe();
    let season;
    try {
      season = F.readLeagueFile(text);
    } catch (error) {
      if (mine === turn) refuse(name, error instanceof F.Invalid ? error.message : trouble(error));
      return;
    }
    if (season.players.size > CROWD) {
      if (
        !(await agreed(
          `${name} has ${season.players.size} players. Checking it can take minutes, and this page may not answer meanwhile.`,
        ))
      )
        return;
    }
    if (mine === turn) await check(season, { name, text, own }, mine);
  }

  const trouble = (error) =>
    `The checker itself failed here (${error.message}). That's a fault of the checker, not of your file: please report it with the file.`;

  /* Once there is an answer, another file is chosen below it. */
  function intakeBelow() {
    at("intake").querySelector("h2").textContent = "Check another file";
    document.querySelector("footer").before(at("intake"));
  }

  function refuse(name, why) {
    intakeBelow();
    document.body.dataset.state = "refused";
    const words = el(
      "div",
      {},
      el("h2", {}, "This file can't be checked"),
      el("p", {}, bold(name), ": ", why),
      el(
        "p",
        { class: "quiet" },
        "Was it changed by hand or cut short? Get the league file again from the league's pages or with /league export.",
      ),
    );
    show("answer", el("section", { class: "summary bad" }, mark("cross", "Refused:"), words));
  }

  const waiting = (words) =>
    show("answer", el("section", { class: "summary" }, mark("wait", ""), el("div", {}, el("h2", {}, words))));

  /* Ask before work that takes long. */
  function agreed(words) {
    return new Promise((done) => {
      const button = (label, answer) => {
        const click = () => {
          show("answer");
          done(answer);
        };
        return el("button", { type: "button", class: answer ? "button first" : "button", click }, label);
      };
      show(
        "answer",
        el(
          "section",
          { class: "summary ask" },
          mark("wait", ""),
          el(
            "div",
            {},
            el("p", {}, words),
            el("p", { class: "buttons" }, button("Check it anyway", true), button("Leave it", false)),
          ),
        ),
      );
    });
  }

  /* The name of a file; a season's own is there to be taken along. */
  const fileName = ({ name, own }) =>
    own && preset.name ? el("a", { href: encodeURIComponent(name), download: true }, name) : bold(name);

  async function check(season, file, mine) {
    const begun = performance.now();
    document.body.dataset.state = "checking";
    at("league").replaceChildren(file.own ? el("a", { href: "../index.html" }, named(season.league)) : "Fairpair");
    at("whose").replaceChildren(named(season.league), ` · Season ${season.number} · ${W.FORMATS[season.format]}`);
    const prints = attempt(() => F.fingerprints(season)) ?? [];
    const rows = [];
    const card = el("section", { class: "card rounds" });
    show("findings", card);
    let shown = performance.now();
    for (const round of season.rounds) {
      if (performance.now() - shown > 100) {
        waiting(`Checking round ${round.number} of ${season.rounds.length} …`);
        await breathe();
        if (mine !== turn) return;
        shown = performance.now();
      }
      const row = roundRow(season, round, prints[round.number]);
      rows.push(row);
      card.append(row.node);
    }
    const salt = attempt(() => F.saltProblems(season)) ?? [];
    const end = attempt(() => F.finalProblem(season), trouble);
    show("answer", summary(season, file, rows, salt, end, performance.now() - begun));
    if (!season.rounds.length) card.append(el("p", { class: "line quiet" }, "No round is paired yet."));
    at("findings").append(
      el(
        "p",
        { class: "quiet" },
        "The short code of each round is its fingerprint. It must be the one in the league's post after that round: that's how you know that the results in this file are the league's.",
      ),
      ...[
        endPart(season, end),
        saltPart(season, salt),
        fingerprintPart(season, prints),
        changedPart(season, file),
      ].filter(Boolean),
    );
    intakeBelow();
    document.body.dataset.state = "done";
    openFromAddress();
  }

  function attempt(question, otherwise = () => null) {
    try {
      return question();
    } catch (error) {
      return otherwise(error);
    }
  }

  /* A line for a round, and what opens below it. */
  function roundRow(season, round, print) {
    const judged = attempt(
      () => F.judge(season, round),
      (error) => ({ found: null, problem: trouble(error) }),
    );
    const { found, problem } = judged;
    const open = round.matches.some(({ kind }) => kind === "open");
    const kind = problem ? "cross" : round.byHand ? "pencil" : season.format === "record" ? "wait" : "tick";
    const pairs = W.count(round.matches.length, "pairing");
    const bye = round.byes.length ? ` and ${W.count(round.byes.length, "bye")}` : "";
    const words = {
      cross: "differs from the rules",
      pencil: `${round.byHand === "forgotten" ? "a player was forgotten" : "changed by an organiser"}; no one plays twice`,
      wait: `${pairs}${bye}, not paired by the program`,
      tick: `${pairs}${bye} as the rules say${open ? ", results to come" : ""}`,
    }[kind];
    const id = `round-${round.number}`;
    const body = el("div", { class: "opened", id: `${id}-steps`, hidden: true });
    const verb = el("span", { class: "verb" }, "Open");
    const name = W.roundName(season, round.number);
    const button = el(
      "button",
      { type: "button", class: "line", id, "aria-expanded": "false", "aria-controls": body.id, click: () => toggle() },
      mark(kind, { cross: "Differs:", pencil: "By hand:", tick: "Fine:", wait: "" }[kind]),
      el("span", { class: "title" }, name),
      el("span", { class: "words" }, words),
      print ? el("code", { class: "print", title: "Fingerprint" }, print.slice(0, 16)) : null,
      verb,
    );
    const toggle = () => {
      const opening = body.hidden;
      if (opening && !body.childNodes.length)
        body.append(
          ...attempt(
            () => F.openedRound(season, round, judged),
            (error) => [el("p", {}, trouble(error))],
          ),
        );
      body.hidden = !opening;
      button.setAttribute("aria-expanded", String(opening));
      verb.textContent = opening ? "Close" : "Open";
      button.classList.toggle("open", opening);
    };
    const both = problem && found && found.matches ? W.bothWays(round, found) : null;
    const differs = problem
      ? el("p", { class: "differs" }, both ? `The file has ${both.said}. The rules give ${both.due}.` : `${problem}.`)
      : null;
    return {
      node: el("div", { class: `round ${kind}` }, el("h3", {}, button), differs, body),
      kind,
      name,
      byHand: round.byHand,
      open,
      toggle,
    };
  }

  function summary(season, file, rows, salt, end, ms) {
    const wrong = rows.filter(({ kind }) => kind === "cross").map((row) => row.name);
    const byHand = rows.filter(({ kind }) => kind === "pencil");
    const changed = byHand.filter((row) => row.byHand === "organiser").map((row) => row.name);
    const others = [...(salt.length ? ["the salt"] : []), ...(end ? ["how it ended"] : [])];
    const bad = wrong.length + others.length > 0;
    const fine = rows.length - wrong.length - byHand.length;
    const all = !wrong.length && !byHand.length;
    let title = `${all ? `All ${W.count(rows.length, "round")} are` : `${fine} of ${W.count(rows.length, "round")} ${fine === 1 ? "is" : "are"}`} as the rules say.`;
    if (byHand.length && !fine)
      title = changed.length ? "Every round was changed by an organiser." : "The rounds can't be checked any more.";
    if (rows.length === 2 && all) title = "Both rounds are as the rules say.";
    if (rows.length === 1 && all) title = "The one round is as the rules say.";
    if (!rows.length) title = "No round to check yet.";
    if (season.format === "record") title = "Nothing to check: the program didn't pair this season.";
    if (bad)
      title = `${W.and([...wrong, ...others])} ${wrong.length + others.length === 1 ? "differs" : "differ"} from the rules.`;
    title = title[0].toUpperCase() + title.slice(1);
    const time = ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
    const words = [
      rows.length && all && !bad && decidedByRules(season)
        ? el(
            "p",
            {},
            "Nobody, not even the league's organisers, chose the pairings: names and results alone decide them.",
          )
        : null,
      el(
        "p",
        {},
        "Your browser has just worked the season out again from ",
        fileName(file),
        `, with a second program, in ${time}. Nothing was sent anywhere.`,
      ),
      changed.length ? el("p", {}, `${W.and(changed)}: changed by an organiser, and marked so.`) : null,
      season.forgotten
        ? el(
            "p",
            {},
            `A player asked to be forgotten: ${byHand.length > changed.length ? "the pairings of these rounds, " : ""}salt and fingerprints can't be compared any more.`,
          )
        : null,
      season.bracket
        ? el("p", {}, "The bracket had begun by then: who stood in its first slots is taken from the file.")
        : null,
    ];
    const kind = bad ? "bad" : season.format === "record" || !rows.length ? "" : "good";
    document.body.dataset.ms = String(Math.round(ms));
    return el(
      "section",
      { class: `summary ${kind}` },
      mark(bad ? "cross" : kind ? "tick" : "wait", ""),
      el("div", {}, el("h2", {}, title), words.filter(Boolean)),
    );
  }

  /* Whether nothing that an organiser chose for a pair went into the pairings. */
  const decidedByRules = ({ format, settings, apart, decisions }) =>
    format !== "record" &&
    settings.seeding !== "seeded" &&
    settings.grouping !== "given" &&
    !apart.length &&
    !decisions.length;

  const TIES = {
    strength_of_schedule: "Opp.",
    extended_strength_of_schedule: "Opp. 2",
    owr: "Opponents' wins × 2",
    oowr: "Wins of their opponents",
    beaten_opponents_wins: "Beaten",
    game_wins: "Games",
    game_win_percentage: "Game %",
    difference: "Difference",
    scored: "Scored",
    sonneborn_berger: "Sonneborn-Berger",
  };

  /* Tie-breaks that are sums: whole numbers, or halves. */
  const SUMS = ["game_wins", "beaten_opponents_wins", "difference", "scored", "sonneborn_berger"];

  /* Standings and champion, and whether the file says the same. */
  function endPart(season, problem) {
    const rows = attempt(() => F.standings(season));
    if (!rows) return null;
    const over = F.endByRules(season);
    const kept = Boolean(season.final) && F.endIsKept(season);
    const champion = kept ? season.final.champion : over?.champion;
    const ties = Object.keys(rows[0]?.tiebreaks ?? {});
    const points = rows.some((row) => row.points !== row.wins);
    const drawn = rows.some((row) => row.draws);
    const finals = !over || season.rounds.some(({ stage }) => stage === "finals"); // none: who is still in at the end only finished
    const place = ({ name, place: number, status }) =>
      (kept ? name === champion : status === "champion")
        ? "champion"
        : number
          ? `place ${number}`
          : ({ active: "", qualified: finals ? "in the finals" : "" }[status] ?? status);
    const shown = (key, { value }) => (SUMS.includes(key) ? String(value) : value.toFixed(3));
    const grouped = rows.some((row) => row.group > 1);
    const cells = (row) => [
      String(row.rank),
      named(row.name),
      ...(grouped ? [row.group === null ? "" : `${row.group}: ${row.group_rank}`] : []),
      drawn ? `${row.wins}–${row.losses}–${row.draws}` : `${row.wins}–${row.losses}`,
      ...(points ? [String(row.points)] : []),
      ...ties.map((key) =>
        el(
          "span",
          { title: row.tiebreaks[key].exact ?? String(row.tiebreaks[key].value) },
          shown(key, row.tiebreaks[key]),
        ),
      ),
      F.picture.shownRating(season, row.rating),
      place(row),
    ];
    const heads = [
      "#",
      "Player",
      ...(grouped ? [season.settings.grouping === "divisions" ? "Division: place" : "Group: place"] : []),
      drawn ? "W–L–D" : "W–L",
      ...(points ? ["Points"] : []),
      ...ties.map((key) => TIES[key] ?? key),
      "Rating",
      "State",
    ];
    const compared = season.final
      ? kept
        ? el(
            "p",
            {},
            "The end is as in the file and can't be compared: a player was forgotten, and a draw may have had their name.",
          )
        : problem
          ? el(
              "p",
              { class: "wrong" },
              mark("cross", "Differs:"),
              " ",
              bold("The file says the end otherwise: "),
              `${problem}.`,
            )
          : el("p", {}, mark("tick", "Fine:"), " Standings and champion in the file are the same.")
      : null;
    return el(
      "section",
      { class: "card" },
      el("h2", {}, "Standings by the rules"),
      champion ? el("p", {}, "Champion: ", bold(named(champion))) : null,
      compared,
      attempt(() =>
        F.idleDecisions(season).map(({ afterRound, order, because }) =>
          el(
            "p",
            { class: "quiet" },
            `The organiser's order after ${W.inWords(season, afterRound)} (${order.join(", ")}) counts for nothing, ${because}.`,
          ),
        ),
      ),
      el(
        "details",
        { open: Boolean(problem) },
        el("summary", {}, rows.length === 2 ? "Both players" : `All ${rows.length} players`),
        table("Standings", heads, rows.map(cells)),
      ),
      ladderLeft(season),
    );
  }

  /* The order in which the next season fills its divisions, once it is known. */
  function ladderLeft(season) {
    const names = season.settings.grouping === "divisions" ? F.attempt(() => F.ladder(season)) : null;
    if (!Array.isArray(names) || season.groups) return null;
    const items = names.map((name) => el("li", {}, named(name)));
    return el("details", {}, el("summary", {}, "The ladder for the next season"), el("ol", {}, ...items));
  }

  /* The salt: what it was made of, worked out again. */
  function saltPart(season, problems) {
    const { settings, sealed, forgotten } = season;
    if (settings.salt === null && !sealed) return null;
    const fact = (words, text) =>
      el("div", { class: "fact" }, el("span", { class: "quiet" }, words), el("span", {}, code(text)));
    const secret = sealed?.secret;
    const verdict = forgotten
      ? ["wait", "A player was forgotten, so the salt can't be compared any more."]
      : problems.length
        ? ["cross", `The salt differs: ${problems.join("; ")}.`]
        : sealed && !secret
          ? ["wait", "The secret is shown when round 1 is paired. Keep the commitment to compare it then."]
          : ["tick", sealed ? "Commitment, secret, names and salt fit each other." : "The salt fits the names."];
    return el(
      "section",
      { class: "card" },
      el("h2", {}, sealed ? "The sealed salt" : "The salt"),
      el("p", { class: verdict[0] === "cross" ? "wrong" : "" }, mark(verdict[0], ""), " ", verdict[1]),
      sealed ? fact("Commitment, in the message that opened sign-ups", sealed.commitment) : null,
      secret ? fact("Secret, shown at the start", secret) : null,
      secret ? fact("SHA-256 of the secret", F.sha256(secret)) : null,
      settings.salt !== null ? fact("Salt in every draw", settings.salt) : null,
      el("p", { class: "quiet" }, W.prevents(season)),
    );
  }

  /* A fingerprint from a post, looked for in the file. */
  function fingerprintPart(season, prints) {
    const answer = el("p", { "aria-live": "polite" });
    const look = (event) => {
      const wanted = event.target.value.trim().toLowerCase();
      const i = prints.findIndex((print) => print === wanted || print.slice(0, 16) === wanted);
      if (!wanted) answer.replaceChildren();
      else if (!/^([0-9a-f]{16}|[0-9a-f]{64})$/.test(wanted))
        answer.replaceChildren("A fingerprint has 16 or 64 digits, 0 to 9 and a to f.");
      else if (i < 0)
        answer.replaceChildren(
          mark("cross", ""),
          " This file never had this fingerprint. Names, pairings or results were different.",
        );
      else
        answer.replaceChildren(
          mark("tick", ""),
          i
            ? ` The file has this fingerprint after ${W.inWords(season, i)}.`
            : " The file has this fingerprint at the start.",
        );
    };
    const field = el("input", {
      id: "print",
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 80,
      input: look,
    });
    return el(
      "section",
      { class: "card" },
      el("h2", {}, "Compare a fingerprint"),
      el("p", {}, el("label", { for: "print" }, "Paste one from the league's posts:"), " ", field),
      answer,
      el(
        "p",
        { class: "quiet" },
        "Fingerprints cover names, pairings, byes, results, points and scores. They don't cover settings, ratings, comings and goings.",
      ),
    );
  }

  /* On demand: the same file with one result turned around, and where that shows. */
  function changedPart(season, { text }) {
    if (season.format === "record") return null;
    const place = el("div", { class: "shown", "aria-live": "polite" });
    const look = () => {
      for (const round of season.rounds.slice(0, -1)) {
        for (const [i, { winner }] of round.matches.slice(0, 4).entries()) {
          if (winner === null || winner === "draw") continue;
          const other = F.readLeagueFile(text);
          const match = other.rounds[round.number - 1].matches[i];
          match.winner = match.players.find((name) => name !== winner);
          for (const numbers of [match.games, match.score]) if (numbers) numbers.reverse();
          const judged = other.rounds.map((one) => ({ one, ...F.judge(other, one) })).find(({ problem }) => problem);
          if (!judged) continue;
          const both = judged.found?.matches && W.bothWays(judged.one, judged.found);
          const changed = attempt(() => F.fingerprints(other)) ?? [];
          place.replaceChildren(
            el(
              "p",
              {},
              `The same season, but someone turned one result of ${W.inWords(other, round.number)} around: `,
              named(match.winner),
              ", not ",
              named(winner),
              ", won.",
            ),
            el(
              "div",
              { class: "round cross" },
              el(
                "h4",
                {},
                mark("cross", "Differs:"),
                ` ${W.roundName(other, judged.one.number)} `,
                el("span", { class: "words" }, "differs from the rules"),
              ),
              el(
                "p",
                { class: "differs" },
                both ? `The file has ${both.said}. The rules give ${both.due}.` : `${judged.problem}.`,
              ),
            ),
            el(
              "p",
              { class: "quiet" },
              "Its fingerprint after that result: ",
              code((changed[round.number] ?? "").slice(0, 16)),
              ". The league posted another one.",
            ),
          );
          return;
        }
      }
      place.replaceChildren(
        "In this season, no result that is turned around would have changed a later pairing. The fingerprints would change.",
      );
    };
    const button = el("button", { type: "button", class: "button", click: () => attempt(look) }, "Show me");
    return el(
      "section",
      { class: "card" },
      el("h2", {}, "What does a changed file look like?"),
      el("p", {}, button),
      place,
    );
  }

  function openFromAddress() {
    const asked = /^#round-\d+$/.test(location.hash) ? document.querySelector(`button${location.hash}`) : null;
    if (!asked) return;
    if (asked.getAttribute("aria-expanded") === "false") asked.click();
    asked.scrollIntoView();
  }

  async function takeFile(file) {
    try {
      await take(await file.arrayBuffer(), file.name);
    } catch (error) {
      refuse(file.name, `It can't be read (${error.message}).`);
    }
  }

  at("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) takeFile(file);
    event.target.value = "";
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    if (file) takeFile(file);
  });
  addEventListener("hashchange", openFromAddress);

  at("intake").hidden = false;
  if (isPreset) {
    turn += 1;
    at("nav").append(el("a", { href: "index.html" }, "Back to the season"));
    takeText(preset.file, preset.name ?? "the season's file", turn, true);
  }
})((globalThis.Fairpair = globalThis.Fairpair || {}));
