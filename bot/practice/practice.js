// The bar of the practice server: which channel you see and who you act as. simcord's page does everything else.
(() => {
  if (location.hash.length < 2) history.replaceState(null, "", "#practice");
  const $ = (id) => document.getElementById(id);
  const remembered = JSON.parse(sessionStorage.getItem("practice") || "{}");
  const read = {};
  let boot = null, lost = 0, placeMark = null, sentAt = 0, atEnd = false, topSeen = 0;

  function remember(change) {
    Object.assign(remembered, change);
    sessionStorage.setItem("practice", JSON.stringify(remembered));
  }

  function open(channel) {
    // simcord's own form for jumping to a message also takes a channel; so its page knows what it shows.
    $("message-exact-id").value = `channel:${channel.id}`;
    $("message-exact-form").requestSubmit();
    remember({ channel: channel.id });
  }

  function showChannels(channels, here, person) {
    const bar = $("practice-channels");
    const allowed = channels.filter((channel) => channel.people.includes(person));
    const key = JSON.stringify([allowed, here]);
    if (bar.dataset.key === key) return;
    bar.dataset.key = key;
    bar.replaceChildren(...allowed.map((channel) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: `#${channel.name}` });
      if (channel.id === here) button.setAttribute("aria-current", "page");
      else if (read[channel.id] !== channel.newest) button.className = "has-news";
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
    if (facts.boot !== boot || lost > 5) { reload(); return; }
    if (!page || !page.viewerId) return;
    const shown = facts.channels.find((channel) => channel.name === $("channel-name").textContent);
    const here = shown?.id;
    for (const channel of facts.channels) if (channel.id === here || !(channel.id in read)) read[channel.id] = channel.newest;
    if (!remembered.returning) remember({ person: page.viewerId });
    returnToPlace(page, facts.channels, here);
    follow(keepPlace(page, shown));
    showChannels(facts.channels, here, page.viewerId);
    const status = $("action-status");
    status.classList.toggle("is-trouble", /not completed|uncertain|interrupted/.test(status.textContent));
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelector(".preview-brand").innerHTML = "<strong>Fairpair practice</strong>";
    const label = document.querySelector(".viewer-control");
    label.firstChild.textContent = "Acting as ";
    $("viewer-picker").setAttribute("aria-label", "Acting as");
    const channels = Object.assign(document.createElement("nav"), { id: "practice-channels", className: "practice-channels" });
    channels.setAttribute("aria-label", "Channels");
    label.before(channels);
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
