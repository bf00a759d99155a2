/* Pieces of the page: every text is set as text, never as HTML, because names can hold anything. */
((F) => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";

  function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === "function") node.addEventListener(key, value);
      else if (value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  }
  const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  const SHAPES = {
    tick: "M3 9.5 7 13.5 15 4.5",
    cross: "M4 4 14 14M14 4 4 14",
    pencil: "M3 15 4 11 12.5 2.5 15.5 5.5 7 14ZM10.5 4.5 13.5 7.5",
    wait: "M9 2.5A6.5 6.5 0 1 0 9.01 2.5M9 5.5V9.5L12 11",
  };

  /* A mark with its meaning in words for who doesn't see it; none where the words beside it say the same. */
  function mark(kind, words) {
    const shape = svg("path", { d: SHAPES[kind] });
    return svg(
      "svg",
      {
        class: `mark ${kind}`,
        viewBox: "0 0 18 18",
        width: 18,
        height: 18,
        ...(words ? { role: "img", "aria-label": words } : { "aria-hidden": "true" }),
      },
      shape,
    );
  }

  const code = (text) => el("code", {}, text);
  const bold = (text) => el("strong", {}, text);

  /* A sentence of parts: text, and names, which stand out. Names keep their own direction of writing. */
  const said = (parts) =>
    parts.map((part) => (typeof part === "string" ? part : el("bdi", { class: "name" }, part.name)));

  const named = (text) => el("bdi", { class: "name" }, text);

  /* A table in a box of its own that scrolls where the screen is narrow. */
  function table(label, heads, rows) {
    const head = el(
      "tr",
      {},
      heads.map((text) => el("th", { scope: "col" }, text)),
    );
    const body = rows.map((cells) =>
      el(
        "tr",
        {},
        cells.map((cell) => el("td", {}, cell)),
      ),
    );
    return el(
      "div",
      { class: "wide", tabindex: 0, role: "group", "aria-label": label },
      el("table", {}, el("thead", {}, head), el("tbody", {}, body)),
    );
  }

  /* A way to let the browser show what there is before the next piece of work. */
  const breathe = () => new Promise((done) => setTimeout(done, 0));

  F.parts = { bold, breathe, code, el, mark, named, said, svg, table };
})((globalThis.Fairpair = globalThis.Fairpair || {}));
