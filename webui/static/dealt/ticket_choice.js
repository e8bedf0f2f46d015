// Tickets to choose from: which to keep, each with its points and where it lies on the board.

import { button, fill, h, icon, s } from "../shared/dom.js";
import { placeName, endsName } from "../shared/names.js";
import { openSheet } from "../shared/sheets.js";
import { now, theBoard } from "../shared/state.js";
import { say, sayCount } from "../shared/words.js";
import { pointsOf } from "../table/tickets.js";
import { isBeginning } from "./turn_words.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Return the card that leads to the choice: what there is to choose from is seen by who opens it. */
export function choiceCard(cards) {
  const { offered, at_least: least } = cards.view();
  return h("section", { class: "card choose" },
    h("h3", {}, say(isBeginning(now().cards) ? "dealt.choose_first" : "dealt.choose")),
    h("p", {}, sayCount("dealt.offered", offered.length), " ", sayCount("dealt.at_least", least)),
    button("open-offered", [icon("ticket"), say("dealt.look")], () => openChoice(cards), { class: "primary wide" }));
}

function openChoice(cards) {
  const { offered, at_least: least, returned_to: returnedTo } = cards.view();
  const kept = new Set();
  const map = h("div", {});
  const keep = () => {
    sheet.close();
    cards.move({ move: "keep_tickets", tickets: [...kept].map((i) => offered[i]).map(({ a, b, points }) => ({ a, b, points })) }, sayCount("dealt.kept", kept.size));
  };
  const toggle = (i) => {
    if (!kept.delete(i)) kept.add(i);
    sheet.refresh();
  };
  const row = (ticket, i) => h("li", {}, button(`offered-${i}`, [
    h("span", { class: "offered-letter", "aria-hidden": "true" }, LETTERS[i]),
    h("span", { class: "ticket-name" }, endsName(ticket)),
    pointsOf(ticket),
    h("span", { class: "offered-kept" }, kept.has(i) ? [icon("check"), say("dealt.is_kept")] : say(returnedTo === "out of the game" ? "dealt.leaves_game" : "dealt.goes_back")),
  ], () => toggle(i), { class: "offered", "aria-pressed": String(kept.has(i)) }));
  const sheet = openSheet(say("dealt.choose"), () => {
    fill(map, smallMap(offered, kept));
    return [
      map,
      h("ul", { class: "plain offered-list" }, offered.map(row)),
      button("keep-tickets",
        kept.size < least ? sayCount("dealt.at_least", least) : sayCount("dealt.keep", kept.size), keep, { class: "primary wide", disabled: kept.size < least }),
    ];
  }, { name: "tall" });
}

/** Return the board's places and routes, small, with a line for each ticket; those that are kept are drawn through. */
function smallMap(tickets, kept) {
  const board = theBoard();
  const [width, height] = board.size_mm;
  const at = (id) => board.place[id]?.xy_mm ?? [0, 0];
  const line = ([x1, y1], [x2, y2], attributes) => s("line", { x1, y1, x2, y2, ...attributes });
  const letter = ({ a, b }, i) => {
    const [x, y] = [0, 1].map((axis) => (at(a)[axis] + at(b)[axis]) / 2);
    return s("g", { class: "map-letter", transform: `translate(${x} ${y})` }, s("circle", { r: 24 }), s("text", { y: 11 }, LETTERS[i]));
  };
  const ends = [...new Set(tickets.flatMap(({ a, b }) => [a, b]))];
  return s("svg", { class: "small-map", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("dealt.map", { places: ends.map(placeName).join(", ") }) },
    board.routes.map(({ a, b }) => line(at(a), at(b), { class: "map-route" })),
    tickets.map(({ a, b }, i) => line(at(a), at(b), { class: kept.has(i) ? "map-ticket is-kept" : "map-ticket" })),
    ends.map((id) => s("circle", { class: "map-place", cx: at(id)[0], cy: at(id)[1], r: 11 })),
    tickets.map(letter));
}
