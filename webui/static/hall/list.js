// All tables as cards; which of them are shown; and word of those that need somebody.

import { button, fill, fillAnew, h, setText } from "../shared/dom.js";
import { announce } from "../shared/sheets.js";
import { now, watch } from "../shared/state.js";
import { number, say, sayCount } from "../shared/words.js";
import { cardClass, cardParts } from "./card.js";
import { openTable } from "./sheet.js";
import { FILTERS, inOrder, isCalled, lengthText, needsSomebody, rank, reasons } from "./tables.js";

const at = (id) => document.getElementById(id);
const MINUTE_MS = 60000;
const NAMES = { all: "hall.all", help: "hall.help", playing: "hall.playing", over: "hall.over", away: "hall.away" };

const cards = new Map(); // by the table's id: its element, and the table as that shows it
let isDrawing = false;
let wanted = { show: "all", q: "" };

/** Show all tables, now and whenever one of them changes. */
export function showList() {
  const query = new URLSearchParams(location.search);
  wanted = { show: query.get("show") in FILTERS ? query.get("show") : "all", q: query.get("q") ?? "" };
  at("search").value = wanted.q;
  at("search").addEventListener("input", () => want({ q: at("search").value }));
  watch((state) => [state.tables], draw);
  setInterval(tellTime, MINUTE_MS / 2);
}

function want(changes) {
  wanted = { ...wanted, ...changes };
  const query = new URLSearchParams(Object.entries({ show: wanted.show === "all" ? "" : wanted.show, q: wanted.q }).filter(([, text]) => text));
  history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
  showWanted();
}

/** Draw what has changed, once for all that comes before the browser draws anyway. */
function draw() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    drawNow(now().tables);
  });
}

function drawNow(tables) {
  const isFirst = cards.size === 0;
  let isMoved = false;
  for (const [id, table] of Object.entries(tables)) {
    const card = cards.get(id);
    if (card?.table === table) continue;
    const before = card?.table;
    put(id, table);
    isMoved ||= !before || before.name !== table.name || rank(before) !== rank(table);
    if (!isFirst && needsSomebody(table) && !(before && needsSomebody(before))) announce(say("hall.table_needs", { table: table.name, why: reasons(table).join(" ") }));
  }
  if (isMoved) arrange();
  showWanted();
  document.body.dataset.drawn = now().number;
}

function put(id, table) {
  const card = cards.get(id) ?? { element: h("li", { "data-table": id }) };
  card.table = table;
  card.element.className = cardClass(table);
  const name = button(`table-${id}`, table.name, () => openTable(id, () => comeBack(card)), { class: "hall-name" });
  fill(card.element, cardParts(table, name));
  cards.set(id, card);
}

/** Who closes a table's sheet is on its card again, even if that was drawn anew meanwhile. */
function comeBack({ element }) {
  if (document.activeElement === document.body) element.querySelector(".hall-name").focus({ preventScroll: true });
}

/** Bring the cards in order; who was on one stays on it. */
function arrange() {
  const list = at("tables");
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  let place = list.firstElementChild;
  for (const { element } of [...cards.values()].sort((one, other) => inOrder(one.table, other.table))) {
    if (element === place) place = place.nextElementSibling;
    else list.insertBefore(element, place);
  }
  if (focused && document.activeElement !== focused) focused.focus({ preventScroll: true });
}

function showWanted() {
  const all = [...cards.values()];
  let shown = 0;
  for (const { element, table } of all) {
    const isShown = FILTERS[wanted.show](table) && isCalled(table, wanted.q);
    if (element.hidden === isShown) element.hidden = !isShown;
    shown += isShown;
  }
  const counts = Object.fromEntries(Object.entries(FILTERS).map(([name, has]) => [name, all.filter(({ table }) => has(table)).length]));
  showFilters(counts);
  const text = all.length === 0 ? say("hall.none") : shown ? sayCount("hall.shown", shown) : say("hall.nothing");
  setText(at("count"), text);
}

function showFilters(counts) {
  fillAnew(at("filters"), [counts, wanted.show], () => Object.keys(FILTERS).map((name) =>
    button(`show-${name}`, [say(NAMES[name]), h("span", { class: "sum" }, number(counts[name]))], () => want({ show: name }), {
      class: name === "help" && counts.help ? "is-calling" : null,
      "aria-pressed": String(wanted.show === name),
    })));
}

/** Minutes go on without a message. */
function tellTime() {
  for (const { element, table } of cards.values()) {
    const place = element.querySelector(".hall-length");
    if (place) place.textContent = lengthText(table);
  }
}
