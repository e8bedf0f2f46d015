// A table as a card: what it is called, what is played, everyone's points, and what it needs.

import { car, h, icon } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { clock, number, say } from "../shared/words.js";
import { isOver, lastClaimText, lengthText, longestText, needsSomebody, phaseText, reasons } from "./tables.js";

/** Return what a card is called by its style sheet. */
export function cardClass(table) {
  const mood = needsSomebody(table) ? " is-needing" : "";
  return `hall-table card${mood}${table.is_online ? "" : " is-away"}`;
}

/** Return what stands on a card; `name` is its heading's content. */
export function cardParts(table, name) {
  return [
    h("div", { class: "hall-head" }, h("h2", {}, name), h("span", { class: "tag" }, phaseText(table))),
    needs(table),
    ...(table.game ? gameParts(table) : []),
  ];
}

/** Return why a table needs somebody, marked; null where it does not. */
export function needs(table) {
  if (!needsSomebody(table)) return null;
  return h("p", { class: "hall-needs" }, icon("hand"), h("span", {}, h("strong", {}, say("hall.needs")), " ", reasons(table).join(" ")));
}

function gameParts(table) {
  const claimed = lastClaimText(table);
  const facts = [longestText(table), claimed ? [claimed, h("span", { class: "hall-at" }, ` · ${clock(table.last_claim.at_s)}`)] : ""].filter((one) => one.length);
  return [
    h("p", { class: "soft hall-game" }, h("span", {}, table.title), h("span", { class: "hall-length" }, lengthText(table))),
    h("ol", { class: "plain hall-players" }, table.players.map((player) => playerLine(table, player))),
    facts.length ? h("ul", { class: "plain soft hall-facts" }, facts.map((fact) => h("li", {}, fact))) : null,
  ];
}

/** Return a player's line: the colour, the name, whether she leads, the points. */
export function playerLine(table, player) {
  const leads = table.leaders.includes(player.seat);
  return h("li", { class: leads ? "is-leading" : null },
    car(paintOf(player.colour)),
    h("span", { class: "hall-player" }, nameOf(player), player.has_left ? h("span", { class: "tag" }, say("tag.left")) : null),
    leads ? h("span", { class: "hall-crown" }, icon("crown"), h("span", { class: "unseen" }, say(isOver(table) ? "hall.has_won" : "hall.leads"))) : null,
    h("strong", { class: "sum" }, number(player.points)));
}
