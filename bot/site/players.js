/* The box that finds a player: without script the whole list is there. */
(() => {
  "use strict";

  const box = document.getElementById("find");
  const found = document.getElementById("found");
  const rows = [...document.querySelectorAll("#players tbody tr")];
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const names = rows.map((row) => plain(row.querySelector("bdi").textContent));

  function filter() {
    const wanted = plain(box.value.trim());
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !names[at].includes(wanted);
      if (!row.hidden) shown += 1;
    });
    found.textContent = wanted ? `${shown} found` : "";
  }

  document.getElementById("filter").hidden = false;
  box.addEventListener("input", filter);
  filter();
})();
