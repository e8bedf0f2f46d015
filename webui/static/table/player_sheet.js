// One player: where every point comes from, shown tickets, the longest path on the board, and mending.

import { patch, post, remove } from "../shared/api.js";
import { light } from "../shared/board.js";
import { addition, button, car, h, icon } from "../shared/dom.js";
import { pointLines, turnTime } from "../shared/final_score.js";
import { nameOf, paintWords, endsName } from "../shared/names.js";
import { COLOURS, paintOf } from "../shared/paint.js";
import { attempt, confirmSheet, openSheet } from "../shared/sheets.js";
import { me, now, seated, watch } from "../shared/state.js";
import { colourWord, list, modeWord, number, pathLength, say, sayCount } from "../shared/words.js";
import { showTab } from "./tabs.js";

export function openPlayer(seat) {
  const sheet = openSheet(nameOf(seated(seat)), (own) => body(seated(seat), own), { onClose: () => stop() });
  const stop = watch((state) => [state.players, state.game.turn_times], (_, before) => {
    if (!before) return;
    if (!seated(seat)) return sheet.close();
    sheet.retitle(nameOf(seated(seat)));
    // Whoever is writing a name is not disturbed.
    if (!sheet.dialog.querySelector("input:focus")) sheet.refresh();
  });
}

function body(player, sheet) {
  if (!player) return [];
  return [
    h("div", { class: "holder" }, car(paintOf(player.colour)), h("div", {}, h("p", { class: "holder-name" }, sayCount("count.points", player.points)), h("p", { class: "soft" }, say("player.place", { place: number(player.place), colour: paintWords(player) })))),
    turnTime(player),
    pathButton(player, sheet),
    modes(player),
    tickets(player),
    pointLines(player),
    canMend(player) ? mending(player, sheet) : null,
  ];
}

function pathButton(player, sheet) {
  if (!player.path_routes.length) return null;
  const show = () => {
    sheet.close();
    showTab("board");
    light(player.path_routes, { isShown: true, seat: player.seat });
  };
  return button(null, say("player.show_path", { n: pathLength(player) }), show, { class: "wide" });
}

/** Return which means of transport somebody has claimed; nothing where the rules have none. */
function modes({ modes: held }) {
  const all = now().game.modes;
  const some = (letters) => list(letters.map(modeWord)) || "–";
  return all.length ? h("p", { class: "soft", "data-key": "modes" }, say("player.modes", { held: some(held), missing: some(all.filter((one) => !held.includes(one))) })) : null;
}

function tickets(player) {
  if (!player.tickets.length) return null;
  return h("section", {}, h("h3", {}, say("player.tickets")), h("ul", { class: "plain" }, player.tickets.map((ticket) =>
    h("li", { class: "line" }, h("span", {}, endsName(ticket)), h("span", { class: "soft" }, ticket.is_done ? say("ticket.done") : say("ticket.open")), h("span", { class: "sum" }, number(ticket.points ?? 0))))));
}

function canMend(player) {
  return me().is_host || me().seat === player.seat;
}

function mending(player, sheet) {
  const name = h("input", { type: "text", maxlength: 40, value: player.name, autocomplete: "off", id: "player-name", "data-key": "player-name" });
  const rename = (event) => {
    event.preventDefault();
    const next = name.value.trim();
    if (next && next !== player.name) attempt(() => patch(`/players/${player.seat}`, { name: next }), say("player.renamed", { name: next }));
    sheet.close();
  };
  const shape = h("input", { type: "text", maxlength: 40, value: player.shape, autocomplete: "off", id: "player-shape", "data-key": "player-shape" });
  const reshape = (event) => {
    event.preventDefault();
    attempt(() => patch(`/players/${player.seat}`, { shape: shape.value.trim() }), say("player.shaped", { name: nameOf(player), shape: shape.value.trim() }));
    sheet.close();
  };
  return h("section", { class: "mending" }, h("h3", {}, say("player.mend")),
    h("form", { class: "inline", on: { submit: rename } }, h("label", { for: "player-name" }, say("player.name")), h("div", { class: "inline-row" }, name, h("button", { type: "submit" }, say("player.rename")))),
    now().game.one_piece_a_route ? h("form", { class: "inline", on: { submit: reshape } }, h("label", { for: "player-shape" }, say("player.shape")), h("div", { class: "inline-row" }, shape, h("button", { type: "submit", "data-key": "reshape" }, say("player.reshape")))) : null,
    me().is_host ? hostMending(player, sheet) : null);
}

/** Few players have no phone; and where the program deals, a hand is more than tickets. */
async function openCards(seat) {
  if (!now().cards) return (await import("./other_hand.js")).openHandOf(seat);
  const { openCardsOf } = await import("../dealt/pass_round.js");
  return openCardsOf(seat);
}

function hostMending(player, sheet) {
  const others = now().players.filter((other) => other.seat !== player.seat);
  const done = (act, text) => () => (sheet.close(), attempt(act, text));
  const free = COLOURS.filter((colour) => !now().players.some((other) => other.colour === colour));
  return [
    h("details", {}, h("summary", {}, say("player.recolour")), h("p", { class: "soft" }, say("player.recolour_hint")),
      h("div", { class: "choices" }, free.map((colour) => button(null, [car(paintOf(colour)), h("span", {}, colourWord(colour))], done(() => patch(`/players/${player.seat}`, { colour }), say("player.recoloured", { name: nameOf(player), colour: colourWord(colour) })), { class: "choice" })))),
    others.length ? h("details", {}, h("summary", {}, say("player.swap")), h("p", { class: "soft" }, say("player.swap_hint")),
      h("div", { class: "choices" }, others.map((other) => button(null, [car(paintOf(other.colour)), h("span", {}, nameOf(other))], done(() => post("/players/swap", { seat: player.seat, other: other.seat }), say("player.swapped", { name: nameOf(player), other: nameOf(other) })), { class: "choice" })))) : null,
    player.is_paired || player.computer ? null : button("hand-of", [icon("ticket"), say("hand.title", { name: nameOf(player) })], () => (sheet.close(), openCards(player.seat)), { class: "wide" }),
    player.is_paired ? button(null, say("seat.free"), done(() => remove(`/seat/${player.seat}`), say("seat.freed", { name: nameOf(player) })), { class: "wide" }) : null,
    addition("host_player", player, sheet),
    player.has_left ? null : button(null, say("player.leave"), () => (sheet.close(), confirmSheet(say("player.leave_title", { name: nameOf(player) }), say("player.leave_hint"), say("player.leave"), () => attempt(() => remove(`/players/${player.seat}`), say("player.left", { name: nameOf(player) })))), { class: "wide danger" }),
  ];
}
