// The end of the game: tickets are shown, points are counted together, who wins is said with the reason.

import { address, post } from "../shared/api.js";
import { followCounting } from "../shared/counting.js";
import { button, car, fill, h, icon } from "../shared/dom.js";
import { pointLines, scoreTable, turnTime, winnerText } from "../shared/final_score.js";
import { endsName, nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { playLinks } from "../shared/plays.js";
import { announce, attempt, confirmSheet, openSheet } from "../shared/sheets.js";
import { mayChange, me, mine, now, watch } from "../shared/state.js";
import { list, number, say, sayCount, withWords } from "../shared/words.js";
import { confetti, openCeremony, replay } from "./ceremony.js";
import { isCalm } from "./motion.js";
import { isTyping } from "./phases.js";
import { play } from "./sounds.js";
import { isBoardBeside, showTab } from "./tabs.js";
import { isHiding, keepTicket, openTicketSearch, ownTickets, revealAll } from "./tickets.js";

let hasLeft = false; // whether this phone does not wait for the end of the counting
let asking = null; // the sheet that asks whether to count without somebody's tickets
let plays = null; // links by which the game leaves the house, once there are any

/** Show what is left to do when the game has ended, the counting, and the result when that is over or left. */
export function showEnding(place) {
  let ceremony = null;
  let step = null; // of the counting; null where nobody counts
  const draw = () => {
    const { ended, counted } = now().game;
    const isResult = now().phase === "winner" || (counted && hasLeft);
    place.hidden = !ended;
    document.body.classList.toggle("has-ended", ended);
    // Nobody reads the winner beside "count the points".
    document.body.classList.toggle("is-uncounted", ended && !isResult);
    fill(place, !ended ? null : isResult ? result() : counted ? null : before());
  };
  const leave = () => {
    ceremony = null;
    if (now().phase === "counting") hasLeft = true;
    draw();
    showTab("score");
  };
  const show = () => {
    if (step === null) return ceremony?.close();
    if (!ceremony && !hasLeft) ceremony = openCeremony(leave);
    ceremony?.show(step);
  };
  followCounting((n) => {
    step = n;
    show();
  });
  addEventListener("hand", draw);
  // Who typed when it began comes by the card.
  addEventListener("phase", ({ detail }) => {
    if (detail === "counting") hasLeft = isCalm();
    show();
  });
  watch((state, you) => [state.phase, state.game.ended, state.players, state.questions, you, state.problems], ([phase], last) => {
    const isNew = last?.[0] !== phase;
    if (isNew) hasLeft = phase === "counting" && (isCalm() || isTyping());
    if (phase !== "show_tickets") asking?.close(); // somebody else has counted
    if (phase === "winner" && last?.[0] === "counting") {
      announce(winnerText(now().players).title);
      play("winner");
      confetti();
    }
    plays = phase === "winner" || hasLeft ? playLinks("", true) : null;
    draw();
  });
}

/** What is owed before the count: the own tickets, then those of who has no phone. */
function before() {
  const hidden = ownTickets().filter((ticket) => !ticket.is_revealed);
  const [isToShow, isToEnter] = [isHiding(), me().seat && !ownTickets().length && !now().cards];
  const isMissing = now().players.some((player) => !player.tickets.length);
  const count = (look) => button("count", say("ending.count"), askToCount, { class: `${look} wide` });
  const enter = (look) => button("enter-own", [icon("plus"), say(ownTickets().length ? "ending.one_more" : "ending.enter")], () => openTicketSearch(ownTickets(), keepTicket), { class: `${look} wide` });
  const isWaiting = isToShow || isToEnter;
  return h("section", { class: "card ending", "aria-labelledby": "ending-title" },
    h("h2", { id: "ending-title" }, isWaiting && mine() ? say("ending.show_yours", { name: nameOf(mine()) }) : say("ending.title")),
    h("p", {}, say("ending.text")),
    isToShow && hidden.length ? h("ul", { class: "plain" }, hidden.map((ticket) => h("li", { class: "line" }, h("span", {}, endsName(ticket)), h("span", { class: "sum" }, number(ticket.points))))) : null,
    isToShow && !now().cards ? enter("") : null,
    h("ul", { class: "plain" }, now().players.map(shownBy)),
    mayChange() ? null : h("p", { class: "soft" }, say("ending.guest")),
    isWaiting && mayChange() ? count("quiet") : null,
    isBoardBeside() ? null : button("back", say("ending.board"), () => showTab("board"), { class: "wide quiet" }),
    mayChange() ? h("div", { class: "foot" }, isToShow
      ? button("reveal", hidden.length ? sayCount("ending.show", hidden.length) : say("tickets.reveal"), revealAll, { class: "primary wide" })
      : isToEnter ? enter("primary") : [isMissing ? h("p", { class: "soft" }, say("ending.waits")) : null, count("primary")]) : null);
}

/** A player's line before the count; the host enters or shows the tickets of who has no phone, or left them to a computer. */
function shownBy(player) {
  const { length } = player.tickets;
  const enter = async () => (await withWords("player", import("./other_hand.js"))).openHandOf(player.seat);
  return h("li", { class: "line" }, car(paintOf(player.colour)), h("span", {}, nameOf(player)),
    h("span", { class: length ? "sum done-text" : "sum soft" }, length ? sayCount("ending.shown", length) : say(player.is_paired ? "ending.looking" : "ending.none_shown")),
    me().is_host && !player.is_paired && !(player.computer && length) ? button(`enter-${player.seat}`, say("hand.title", { name: nameOf(player) }), enter) : null);
}

/** Whose tickets are missing is said before anybody is crowned without them. */
function askToCount() {
  const count = () => attempt(() => post("/count"));
  const missing = now().players.filter((player) => !player.tickets.length);
  if (!missing.length) return count();
  const names = list(missing.map(nameOf));
  asking = confirmSheet(say("ending.missing_title"), sayCount("ending.missing", missing.length, { names }), say("ending.count_anyway"), count, { isRisky: true });
}

function result() {
  const { players } = now();
  const { title, reason } = winnerText(players);
  const winners = players.filter((player) => player.is_winner);
  return h("section", { class: "card ending final", "aria-labelledby": "ending-title" },
    h("div", { class: "wreath" }, icon("crown"), winners.map((player) => car(paintOf(player.colour)))),
    h("h2", { id: "ending-title" }, title),
    h("p", {}, reason),
    scoreTable(players),
    me().is_host ? [button("home", say("home.leave"), () => attempt(() => post("/table/home")), { class: "wide" }), h("div", { class: "foot" }, button("play-again", say("again.button"), () => attempt(() => post("/again"), say("again.done")), { class: "primary wide" }))] : null,
    h("div", { class: "choices" },
      button("share", [icon("share"), say("share.button")], sharePicture),
      button("charts", [icon("score"), say("table.charts")], openCharts),
      button("lines", say("ending.lines"), openLines),
      button("markers", say("markers.title"), openMarkers),
      h("a", { class: "button", href: address("/export/game"), download: "" }, say("files.json_short")),
      h("a", { class: "button", href: address("/export/csv"), download: "" }, say("files.csv_short")),
      now().game.is_kept ? h("a", { class: "button", href: `/history/${now().game.id}`, "data-key": "history" }, say("history.link_game")) : null,
      plays),
    button("count-again", say("ending.again"), replay, { class: "wide quiet" }));
}

/** Few share it: the script is fetched when somebody does. */
async function sharePicture() {
  const { share } = await import("./share.js");
  share();
}

async function openCharts() {
  const charts = await import("./charts_sheet.js");
  charts.openCharts();
}

function openLines() {
  openSheet(say("ending.lines"), () => now().players.map((player) => h("details", {}, h("summary", {}, car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: "sum" }, number(player.points))), pointLines(player), turnTime(player))), { name: "tall" });
}

/** Open the comparison with the score track's markers, which people move by hand during a game. */
function openMarkers() {
  openSheet(say("markers.title"), () => [
    h("p", { class: "soft" }, say("markers.text")),
    now().players.map((player) => markerRow(player)),
  ], { follow: (state) => [state.players] });
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
