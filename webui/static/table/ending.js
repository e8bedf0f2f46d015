// The end of the game: tickets are shown, points are counted together, who wins is said with the reason, and printed.

import { address, post } from "../shared/api.js";
import { attempt } from "../shared/attempts.js";
import { car, fill, h, icon } from "../shared/dom.js";
import { lineGroup, lineText, pointLines, scoreTable, winnerText } from "../shared/final_score.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { announce, openSheet } from "../shared/sheets.js";
import { me, now, watch } from "../shared/state.js";
import { number, say, sayCount, signed } from "../shared/words.js";
import { countTo, glide, isStill, pause } from "./motion.js";
import { shareButton } from "./share.js";
import { play } from "./sounds.js";
import { isHiding, refresh, revealAll } from "./tickets.js";

let isCounted = false;

/** Show what is left to do when the game has ended. */
export function showEnding(place) {
  const draw = () => {
    const { ended } = now().game;
    if (!ended) isCounted = false;
    place.hidden = !ended;
    document.body.classList.toggle("has-ended", ended);
    // Nobody reads the winner beside "count the points".
    document.body.classList.toggle("is-uncounted", ended && !isCounted);
    fill(place, ended ? (isCounted ? result() : before(draw)) : null);
  };
  watch((state, you) => [state.game.ended, state.players, you], (ended) => {
    if (ended) refresh().then(draw);
    draw();
  });
}

function before(draw) {
  const isToShow = isHiding();
  const count = () => openCeremony(() => ((isCounted = true), draw()));
  return h("section", { class: "card ending", "aria-labelledby": "ending-title" },
    h("h2", { id: "ending-title" }, say("ending.title")),
    h("p", {}, say("ending.text")),
    h("ul", { class: "plain" }, now().players.map((player) => h("li", { class: "line" }, car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: "sum soft" }, sayCount("ending.shown", player.tickets.length))))),
    isToShow ? h("button", { type: "button", class: "primary wide", "data-key": "reveal", on: { click: async () => (await revealAll(), draw()) } }, say("tickets.reveal")) : null,
    h("button", { type: "button", class: isToShow ? "wide" : "primary wide", "data-key": "count", on: { click: count } }, say("ending.count")));
}

function result() {
  const { players } = now();
  const winners = players.filter((player) => player.is_winner);
  return h("section", { class: "card ending final", "aria-labelledby": "ending-title" },
    h("div", { class: "wreath" }, icon("crown"), winners.map((player) => car(paintOf(player.colour)))),
    h("h2", { id: "ending-title" }, winnerText(players).title),
    h("p", {}, winnerText(players).reason),
    scoreTable(players),
    h("div", { class: "choices" },
      h("button", { type: "button", "data-key": "lines", on: { click: openLines } }, say("ending.lines")),
      h("button", { type: "button", "data-key": "markers", on: { click: openMarkers } }, say("markers.title")),
      shareButton(),
      h("button", { type: "button", "data-key": "print", on: { click: () => print() } }, icon("print"), say("ending.print")),
      h("a", { class: "button", href: address("/export/game"), download: "" }, say("files.json_short")),
      h("a", { class: "button", href: address("/export/csv"), download: "" }, say("files.csv_short")),
      h("a", { class: "button", href: `/history/${now().game.id}`, "data-key": "history" }, say("history.link_game"))),
    h("button", { type: "button", class: "wide quiet", "data-key": "count-again", on: { click: () => openCeremony(() => {}) } }, say("ending.again")),
    me().is_host ? h("button", { type: "button", class: "primary wide", "data-key": "play-again", on: { click: () => attempt(() => post("/again"), say("again.done")) } }, say("again.button")) : null);
}

function openLines() {
  openSheet(say("ending.lines"), () => now().players.map((player) => h("details", {}, h("summary", {}, car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: "sum" }, number(player.points))), pointLines(player))), { name: "tall" });
}

/** Open the comparison with the score track's markers, which people move by hand during a game. */
function openMarkers() {
  const sheet = openSheet(say("markers.title"), () => [
    h("p", { class: "soft" }, say("markers.text")),
    now().players.map((player) => markerRow(player)),
  ], { onClose: () => stop() });
  const stop = watch((state) => [state.players], (_, before) => before && sheet.refresh());
}

function markerRow(player) {
  const id = `marker-${player.seat}`;
  const input = h("input", { type: "number", id, inputmode: "numeric", min: -1000, max: 10000, value: player.marker ?? "", "data-key": id, "data-draft": true });
  const save = (event) => {
    event.preventDefault();
    if (input.value !== "") attempt(() => post("/markers", { seat: player.seat, said: Number(input.value) }), say("markers.saved", { name: nameOf(player) }));
  };
  const off = player.marker === null || player.marker === undefined ? null : player.marker - player.route_points;
  return h("form", { class: "marker", on: { submit: save } }, car(paintOf(player.colour)), h("label", { for: id }, nameOf(player)), input, h("button", { type: "submit" }, say("markers.save")),
    off === null ? null : h("p", { class: off ? "soft trouble-text" : "soft" }, off ? say("markers.off", { points: number(player.route_points), off: number(Math.abs(off)) }) : say("markers.same", { points: number(player.route_points) })));
}

// Counting the points together: routes, then ticket by ticket, then bonuses, until somebody wins. May be skipped.

const STEP_MS = 1100;
const FIRST_MS = 900;
const CONFETTI = 48;

/** Open the ceremony; `done` is called when it is over or left. */
function openCeremony(done) {
  const stage = { isSkipped: isStill(), isOver: false };
  const sheet = openSheet(say("ceremony.title"), () => [], { name: "ceremony", onClose: () => ((stage.isOver = true), done()) });
  const players = now().players;
  const rows = new Map(players.map((player) => [player.seat, makeRow(player)]));
  const words = h("p", { class: "ceremony-words" });
  const list = h("ol", { class: "ceremony-rows" }, [...rows.values()].map((row) => row.item));
  const skip = h("button", { type: "button", class: "wide quiet", on: { click: () => (stage.isSkipped = true) } }, say("ceremony.skip"));
  fill(sheet.dialog.querySelector(".sheet-body"), words, list, skip);
  run(players, rows, { words, list, stage }).then(() => {
    if (stage.isOver) return;
    skip.replaceWith(h("button", { type: "button", class: "primary wide", on: { click: () => sheet.close() } }, say("ceremony.close")));
    crown(sheet, players, words);
  });
}

function makeRow(player) {
  const points = h("span", { class: "row-points" }, "0");
  const line = h("span", { class: "ceremony-line" });
  const item = h("li", { class: "ceremony-row" }, car(paintOf(player.colour)), h("span", { class: "row-name" }, nameOf(player)), points, line);
  return { item, points, line, total: 0 };
}

async function run(players, rows, { words, list, stage }) {
  const wait = (ms) => (stage.isSkipped || stage.isOver ? null : pause(ms));
  const order = () => glide(() => [...list.children], () => list.append(...players.map((player) => rows.get(player.seat)).sort((a, b) => b.total - a.total).map((row) => row.item)));
  const add = (row, points) => {
    row.total += points;
    if (stage.isSkipped) row.points.textContent = number((row.points.dataset.value = row.total));
    else countTo(row.points, row.total, number);
  };
  words.textContent = say("ceremony.routes");
  for (const player of players) add(rows.get(player.seat), player.route_points);
  order();
  await wait(FIRST_MS * 2);
  for (const [kind, text] of [["ticket", say("ceremony.tickets")], ["bonus", say("ceremony.bonuses")]]) {
    const steps = players.flatMap((player) => player.lines.filter((line) => lineGroup(line) === kind).map((line) => [player, line]));
    if (steps.length) words.textContent = text;
    for (const [player, line] of steps) {
      const row = rows.get(player.seat);
      row.item.classList.add("is-counting");
      fill(row.line, h("span", {}, lineText(line)), h("strong", { class: line.points < 0 ? "minus" : "plus" }, signed(line.points)));
      add(row, line.points);
      order();
      if (!stage.isSkipped) play("tick");
      await wait(STEP_MS);
      row.item.classList.remove("is-counting");
    }
  }
}

function crown(sheet, players, words) {
  const { title, reason } = winnerText(players);
  const winners = players.filter((player) => player.is_winner);
  fill(words, icon("crown"), h("strong", {}, title), h("span", { class: "soft" }, reason));
  words.classList.add("is-winner");
  announce(title);
  play("winner");
  if (!isStill()) sheet.dialog.append(confetti(winners));
}

/** Small train cars in the winners' colours rain for a moment. */
function confetti(winners) {
  const rain = h("div", { class: "confetti", "aria-hidden": "true" });
  for (let i = 0; i < CONFETTI; i++) {
    const piece = h("i", { class: `car-${paintOf(winners[i % winners.length].colour).style}` });
    piece.style.left = `${Math.random() * 100}%`;
    rain.append(piece);
    piece.animate([{ transform: `translateY(-10vh) rotate(${Math.random() * 360}deg)`, opacity: 1 }, { transform: `translateY(110vh) rotate(${Math.random() * 1080}deg)`, opacity: 0.9 }], { duration: 2600 + Math.random() * 2200, delay: Math.random() * 900, easing: "cubic-bezier(.3, .1, .6, 1)", fill: "both" });
  }
  setTimeout(() => rain.remove(), 6000);
  return rain;
}

// The printed score sheet: filled when somebody prints, seen on paper alone.

/** Have the sheet ready whenever the browser prints. */
export function printSheets(place) {
  addEventListener("beforeprint", () => fillSheet(place));
}

/** Write the sheet for the game as it is. */
function fillSheet(place) {
  const { game, players } = now();
  fill(place, h("h1", {}, game.name || game.title), h("p", {}, game.ended ? winnerText(players).title : say("print.so_far")), scoreTable(players),
    h("div", { class: "print-columns" }, players.map((player) => h("section", {}, h("h2", {}, nameOf(player)),
      h("ul", { class: "plain" }, player.lines.map((line) => h("li", { class: "line" }, h("span", {}, lineText(line)), h("span", { class: "sum" }, signed(line.points))))),
      h("p", { class: "line" }, h("strong", {}, say("score.total")), h("strong", { class: "sum" }, number(player.points)))))),
    h("p", {}, say("share.footer")));
}
