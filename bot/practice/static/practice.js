// The bar of the practice server: which channel you see and who you act as. simcord's page does everything else.
(() => {
  if (location.hash.length < 2) history.replaceState(null, "", "#practice");
  const $ = (id) => document.getElementById(id);
  const remembered = JSON.parse(sessionStorage.getItem("practice") || "{}");
  const read = {};  // the newest post each person has seen in each channel
  const MOVES = { "+1 hour": 1, "+12 hours": 12, "+24 hours": 24, "+3 days": 72 };
  const PATIENCE = 15000;  // milliseconds in which simcord's page has to end what it does
  let boot = null, lost = 0, placeMark = null, sentAt = 0, atEnd = false, topSeen = 0, untouched = true;
  let doing = "", doingSince = 0;

  function remember(change) {
    Object.assign(remembered, change);
    sessionStorage.setItem("practice", JSON.stringify(remembered));
  }

  function ask(wish) {
    // simcord's own form for jumping to a message also takes our wishes; so its page knows what it shows.
    $("message-exact-id").value = wish;
    $("message-exact-form").requestSubmit();
  }

  function open(channel) {
    untouched = true;
    ask(`channel:${channel.id}`);
    remember({ channel: channel.id });
  }

  const later = (one, other) => BigInt(one) > BigInt(other);

  function showChannels(channels, here, person) {
    const bar = $("practice-channels");
    const allowed = channels.filter((channel) => channel.people.includes(person) && (channel.name || channel.newest !== "0"));
    const key = JSON.stringify([allowed, here, person]);
    if (bar.dataset.key === key) return;
    bar.dataset.key = key;
    bar.replaceChildren(...allowed.map((channel) => {
      const name = channel.name ? `#${channel.name}` : "Direct messages";
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
      const seen = read[`${channel.id} ${person}`];
      const mentions = channel.mentions[person].filter((post) => later(post, seen)).length;
      if (channel.id === here) button.setAttribute("aria-current", "page");
      else if (later(channel.newest, seen)) button.className = "has-news";
      if (mentions) button.dataset.mentions = mentions;
      button.addEventListener("click", () => {
        for (const other of bar.children) other.removeAttribute("aria-current");
        button.setAttribute("aria-current", "page");
        remember({ returning: false });
        open(channel);
      });
      return button;
    }));
  }

  function returnToPlace(page, channels, here) {
    // After a reload or a new start of the server: as the same person, in the same channel.
    if (!remembered.returning || !page.ready) return;
    const channel = channels.find((item) => item.id === remembered.channel && item.people.includes(page.viewerId));
    if (remembered.person && remembered.person !== page.viewerId) {
      $("viewer-picker").value = remembered.person;
      $("viewer-picker").dispatchEvent(new CustomEvent("change", { detail: "returning" }));
    } else if (channel && channel.id !== here) open(channel);
    else remember({ returning: false });
  }

  function markPlace() {
    const timeline = $("channel-timeline");
    const top = timeline.getBoundingClientRect().top;
    const posts = [...timeline.querySelectorAll("[data-message-id]")];
    const first = posts.find((post) => post.getBoundingClientRect().bottom > top);
    const below = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight;
    placeMark = below > 2 && first ? { id: first.dataset.messageId, top: first.getBoundingClientRect().top - top } : null;
  }

  function keepPlace(page, channel) {
    // simcord's page jumps to its newest post. After a change of person reading goes on at the same place; a channel opens at
    // its end, where it also follows what is new, but the welcome post is read from its beginning.
    const timeline = $("channel-timeline");
    const before = timeline.dataset.place || "";
    const now = `${channel?.id} ${page.viewerId}`;
    if (!page.ready || !channel || before === now) return false;
    const stays = before.startsWith(`${channel.id} `);
    const mark = stays ? placeMark : null;
    const post = mark && timeline.querySelector(`[data-message-id="${mark.id}"]`);
    if (post) timeline.scrollTop += post.getBoundingClientRect().top - timeline.getBoundingClientRect().top - mark.top;
    else timeline.scrollTop = channel.name === "welcome" && !stays ? 0 : timeline.scrollHeight;
    timeline.dataset.place = now;
    return true;
  }

  function follow(moved) {
    // Someone who reads at the end stays there, also where posts above grow or shrink, and someone who sends a command
    // is shown its answer. Presses of buttons leave all other readers where they are.
    const timeline = $("channel-timeline");
    const grown = timeline.scrollHeight - Number(timeline.dataset.height || 0);
    if (timeline.scrollTop < topSeen + Math.min(grown, 0) - 2) { sentAt = 0; atEnd = false; }  // someone reads further up
    const wanted = atEnd || Date.now() - sentAt < 5000;
    if (!moved && wanted && grown) timeline.scrollTop = timeline.scrollHeight;
    timeline.dataset.height = String(timeline.scrollHeight);
    topSeen = timeline.scrollTop;
    atEnd = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight < 40;
  }

  function reload() {
    remember({ returning: true });
    location.reload();
  }

  function nameChannels(channels) {
    // simcord's page names no channels in direct messages.
    const words = document.createTreeWalker($("channel-timeline"), NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      const node = words.currentNode;
      if (!node.data.includes("<#")) continue;
      const name = (id) => channels.find((channel) => channel.id === id)?.name;
      const named = node.data.replace(/<#(\d+)>/g, (whole, id) => (name(id) ? `#${name(id)}` : whole));
      if (node.data !== named) node.data = named;
    }
  }

  function isStuck() {
    // simcord's page waits without end for an answer that was lost: "Completing action…", "Switching viewer…".
    const now = $("action-status").textContent;
    if (now !== doing || !now.endsWith("…")) { doing = now; doingSince = Date.now(); }
    return Date.now() - doingSince > PATIENCE;
  }

  function markPosts(channel, person) {
    for (const post of $("channel-timeline").querySelectorAll("[data-message-id]")) {
      post.classList.toggle("is-pinned", channel.pinned.includes(post.dataset.messageId));
      post.classList.toggle("mentions-you", channel.mentions[person]?.includes(post.dataset.messageId));
    }
  }

  function showTime(now) {
    // simcord's page writes "in 5 hours" once; here it follows the clock.
    const UNITS = [["second", 1], ["minute", 60], ["hour", 3600], ["day", 86400], ["month", 2592000]];
    const words = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });
    for (const time of document.querySelectorAll("time.discord-timestamp")) {
      if (!/^(in|now|this|last|next|yesterday|tomorrow)\b|ago$/.test(time.textContent)) continue;
      const seconds = (new Date(time.dateTime) - now) / 1000;
      const [unit, size] = UNITS.findLast(([, least]) => Math.abs(seconds) >= least) || UNITS[0];
      const text = words.format(Math.round(seconds / size), unit);
      if (time.textContent !== text) time.textContent = text;
    }
    const shown = new Intl.DateTimeFormat("en-GB", {
      weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC",
    }).format(now);
    const clock = $("practice-clock").options[0];
    if (clock.textContent !== shown) clock.textContent = shown;
  }

  async function look() {
    let facts;
    try {
      facts = await (await fetch("/practice.json", { cache: "no-store" })).json();
    } catch {
      $("practice-notice").hidden = false;
      return;
    }
    $("practice-notice").hidden = true;
    boot ??= facts.boot;
    const page = window.simcordPreview;
    lost = page && page.authorized ? 0 : lost + 1;
    if (facts.boot !== boot || lost > 5 || isStuck()) { reload(); return; }
    if (!page || !page.viewerId) return;
    const person = page.viewerId;
    const named = document.querySelector(".channel-hash").textContent === "@" ? null : $("channel-name").textContent;
    const shown = facts.channels.find((channel) => channel.name === named && channel.people.includes(person));
    for (const channel of facts.channels) {
      for (const one of channel.people) read[`${channel.id} ${one}`] ??= channel.newest;
    }
    if (shown) read[`${shown.id} ${person}`] = shown.newest;
    if (!remembered.returning) remember({ person });
    returnToPlace(page, facts.channels, shown?.id);
    follow(keepPlace(page, shown));
    showChannels(facts.channels, shown?.id, person);
    if (shown) markPosts(shown, person);
    nameChannels(facts.channels);
    showTime(new Date(facts.now));
    const status = $("action-status");
    status.classList.toggle("is-trouble", /not completed|uncertain|interrupted/.test(status.textContent));
  }

  function makeClock() {
    const clock = Object.assign(document.createElement("select"), { id: "practice-clock", className: "practice-clock" });
    clock.setAttribute("aria-label", "Practice time");
    clock.title = "The time on this server (UTC). Choose how far to move it ahead.";
    clock.append(...["", ...Object.keys(MOVES)].map((text) => new Option(text)));
    clock.options[0].hidden = true;
    clock.addEventListener("change", () => {
      ask(`clock:${MOVES[clock.value]}`);
      clock.selectedIndex = 0;
    });
    return clock;
  }

  function stayAtStart() {
    // simcord's page opens at its end; the welcome post is read from its beginning, until someone scrolls.
    for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) {
      document.addEventListener(kind, () => { untouched = false; }, { capture: true, passive: true });
    }
    const timeline = $("channel-timeline");
    timeline.addEventListener("scroll", () => {
      if (untouched && $("channel-name").textContent === "welcome") timeline.scrollTop = 0;
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelector(".preview-brand").innerHTML = "<strong>Fairpair practice</strong>";
    const label = document.querySelector(".viewer-control");
    label.firstChild.textContent = "Acting as ";
    $("viewer-picker").setAttribute("aria-label", "Acting as");
    const channels = Object.assign(document.createElement("nav"), { id: "practice-channels", className: "practice-channels" });
    channels.setAttribute("aria-label", "Channels");
    label.before(channels);
    label.after(makeClock());
    stayAtStart();
    // Before simcord's page hears of it.
    $("viewer-picker").addEventListener("change", (event) => {
      markPlace();
      sentAt = 0;
      if (event.detail !== "returning") remember({ returning: false });
    }, { capture: true });
    document.addEventListener("submit", (event) => {
      // Messages and commands; not the forms of buttons, nor the one that opens a channel.
      if (!event.target.closest("[role=dialog], dialog, #modal-root, #message-exact-form")) sentAt = Date.now();
    }, { capture: true });
    const notice = Object.assign(document.createElement("div"), { id: "practice-notice", className: "practice-notice", hidden: true });
    notice.textContent = "The practice server has stopped. Start it again and this page reconnects on its own.";
    document.body.append(notice);
    remember({ returning: true });
    setInterval(look, 300);
  });
})();
