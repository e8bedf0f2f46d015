// The hall on a big screen across the room: it turns its pages by itself, and needs no hands.

import { patiently } from "../shared/api.js";
import { fill, h, icon } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { stayAwake } from "../shared/phone.js";
import { now, watch } from "../shared/state.js";
import { openStream } from "../shared/stream.js";
import { number, say, sayCount } from "../shared/words.js";
import { cardClass, cardParts, playerLine } from "./card.js";
import { inOrder, isOver, needsSomebody, phaseText, reasons } from "./tables.js";
import { showTrouble } from "./trouble.js";

const at = (id) => document.getElementById(id);
const TURN_MS = 10000;
const CLOCK_MS = 5000;
const DRAWN_MS = 100;
const MOST_PAGES = 4; // of whole cards; more tables than these hold are shown as lines
const MOST_NEEDING = 4;
const SIZES = ["is-huge", "is-large", ""]; // the largest in which all tables are seen at once
const DENSE = "is-dense";

let page = 0;
let isStill = false;
let isDrawing = false;

start();

async function start() {
  await patiently(() => openStream("/hall"), sayLost);
  showTrouble(at("trouble"));
  watch((state) => [state.tables], drawSoon);
  addEventListener("resize", drawSoon);
  addEventListener("keydown", onKey);
  at("pages").addEventListener("click", hold);
  setInterval(() => !isStill && turn(1), TURN_MS);
  setInterval(drawSoon, CLOCK_MS);
  stayAwake();
  draw();
  document.body.dataset.ready = "yes";
}

function sayLost() {
  at("trouble").textContent = say("hall.lost");
  at("trouble").hidden = false;
}

function onKey(event) {
  const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (step) turn(step);
  else if (event.key === " " && event.target !== at("pages")) hold();
  else return;
  event.preventDefault();
}

function hold() {
  isStill = !isStill;
  draw();
}

function turn(step) {
  page += step;
  draw();
}

/** Draw once for all that comes in a moment: cards are measured each time. */
function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  setTimeout(() => {
    isDrawing = false;
    draw();
  }, DRAWN_MS);
}

function draw() {
  const all = Object.values(now().tables).sort(inOrder);
  const there = all.filter((table) => table.is_online || isOver(table));
  const needing = all.filter(needsSomebody);
  showHead(all, needing);
  const place = at("tables");
  const pages = paged(place, there);
  page = pages.length ? ((page % pages.length) + pages.length) % pages.length : 0;
  const isDense = place.classList.contains(DENSE);
  fill(place, (pages[page] ?? []).map((table) => h("li", { class: cardClass(table), "data-table": table.id }, isDense ? denseParts(table) : cardParts(table, table.name))));
  at("none").hidden = all.length > 0;
  at("pages").hidden = pages.length < 2;
  fill(at("pages"), icon(isStill ? "play" : "pause"), h("span", {}, say("hall.page", { page: number(page + 1), pages: number(pages.length) })));
  at("pages").setAttribute("aria-label", say(isStill ? "hall.turn" : "hall.hold", { page: number(page + 1), pages: number(pages.length) }));
}

function showHead(all, needing) {
  const playing = all.filter((table) => table.is_online && table.game && !isOver(table)).length;
  const away = all.filter((table) => !table.is_online && !isOver(table)).length;
  at("count").textContent = [sayCount("hall.count", all.length), sayCount("hall.count_playing", playing), away ? sayCount("hall.count_away", away) : ""].filter(Boolean).join(" · ");
  const shown = needing.slice(0, MOST_NEEDING);
  fill(at("needing"), shown.map((table) => h("li", {}, icon("hand"), h("strong", {}, table.name), h("span", {}, reasons(table).join(" ")))),
    needing.length > shown.length ? h("li", {}, sayCount("hall.more_need", needing.length - shown.length)) : null);
  at("needing").hidden = !needing.length;
}

/** Return the tables a page each, as many as the screen holds: whole cards, or lines where there are many. */
function paged(place, tables) {
  let room = null;
  for (const size of SIZES) {
    room = roomFor(place, size);
    if (tables.length <= room.columns * room.rows) break;
  }
  if (tables.length > room.columns * room.rows * MOST_PAGES) room = roomFor(place, DENSE);
  // Pages of one size: none is nearly empty.
  const count = Math.ceil(tables.length / (room.columns * room.rows)) || 1;
  const each = Math.ceil(tables.length / count) || 1;
  place.style.setProperty("--rows", Math.min(room.rows, Math.ceil(each / room.columns)));
  return Array.from({ length: Math.ceil(tables.length / each) }, (_, i) => tables.slice(i * each, (i + 1) * each));
}

/** Return how many cards of a size the screen has room for; what the sizes are stands in the style sheet. */
function roomFor(place, size) {
  place.className = `plain hall-tables ${size}`;
  const style = getComputedStyle(place);
  const columns = style.gridTemplateColumns.split(" ").length;
  const gap = parseFloat(style.rowGap);
  const rows = Math.floor((place.clientHeight + gap) / (parseFloat(style.gridAutoRows) + gap));
  return { columns, rows: Math.max(1, rows) };
}

/** Return a table as a line: its name, who leads, and everyone's points. */
function denseParts(table) {
  const leader = table.players?.find((player) => table.leaders.includes(player.seat));
  return [
    h("div", { class: "hall-head" }, h("h2", {}, table.name), needsSomebody(table) ? h("span", { class: "hall-call" }, icon("hand"), h("span", { class: "unseen" }, say("hall.help"))) : h("span", { class: "tag" }, leader ? nameOf(leader) : phaseText(table))),
    table.game ? h("ol", { class: "plain hall-players" }, table.players.map((player) => playerLine(table, player))) : null,
  ];
}
