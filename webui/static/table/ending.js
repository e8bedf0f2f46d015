// The end of the game: tickets are shown, points are counted, and who wins is said with the reason.

import { address, post } from "../shared/api.js";
import { car, fill, h, icon } from "../shared/dom.js";
import { pointLines, scoreTable, winnerText } from "../shared/final_score.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { openSheet } from "../shared/sheet.js";
import { me, now, watch } from "../shared/state.js";
import { attempt } from "../shared/toast.js";
import { number, say, sayCount } from "../shared/words.js";
import { openCeremony } from "./ceremony.js";
import { shareButton } from "./share.js";
import { isRevealed, ownTickets, refresh, revealAll } from "./tickets.js";

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
  const own = ownTickets() ?? [];
  const isHiding = own.some((ticket) => !isRevealed(ticket));
  const count = () => openCeremony(() => ((isCounted = true), draw()));
  return h("section", { class: "card ending", "aria-labelledby": "ending-title" },
    h("h2", { id: "ending-title" }, say("ending.title")),
    h("p", {}, say("ending.text")),
    h("ul", { class: "plain" }, now().players.map((player) => h("li", { class: "line" }, car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: "sum soft" }, sayCount("ending.shown", player.tickets.length))))),
    isHiding ? h("button", { type: "button", class: "primary wide", "data-key": "reveal", on: { click: async () => (await revealAll(), draw()) } }, say("tickets.reveal")) : null,
    h("button", { type: "button", class: isHiding ? "wide" : "primary wide", "data-key": "count", on: { click: count } }, say("ending.count")));
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
    if (input.value !== "") attempt(() => post("/markers", { seat: player.seat, said: Number(input.value) }), say("markers.saved", { name: nameOf(player) }), "marker_compared");
  };
  const off = player.marker === null || player.marker === undefined ? null : player.marker - player.route_points;
  return h("form", { class: "marker", on: { submit: save } }, car(paintOf(player.colour)), h("label", { for: id }, nameOf(player)), input, h("button", { type: "submit" }, say("markers.save")),
    off === null ? null : h("p", { class: off ? "soft trouble-text" : "soft" }, off ? say("markers.off", { points: number(player.route_points), off: number(Math.abs(off)) }) : say("markers.same", { points: number(player.route_points) })));
}
