// Who was best at what, and who won against whom.

import { h } from "../shared/dom.js";
import { number, say, sayCount } from "../shared/words.js";
import { day } from "./dates.js";

const BESTS = [
  ["most_points", "history.most_points"],
  ["longest_path", "history.longest_path"],
  ["most_routes", "history.most_routes"],
];

/** Return the records, a card for each edition. */
export function bestCards(bests) {
  if (!bests.length) return h("p", { class: "soft" }, say("history.no_bests"));
  return bests.map((edition) => h("section", { class: "card" },
    h("h3", {}, edition.title),
    h("p", { class: "soft" }, sayCount("history.ended", edition.games)),
    h("ul", { class: "plain" },
      BESTS.filter(([name]) => edition[name]).map(([name, key]) => best(say(key), edition[name])),
      edition.wins ? h("li", { class: "line" }, h("span", {}, say("history.most_wins")), h("span", { class: "sum" }, say("history.of", { n: number(edition.wins), name: edition.winner }))) : null)));
}

function best(what, { value, name, game, at_s: atS }) {
  return h("li", { class: "line" },
    h("a", { class: "best", href: `/history/${game}` }, h("span", {}, what), h("span", { class: "soft" }, day(atS))),
    h("span", { class: "sum" }, say("history.of", { n: number(value), name })));
}

/** Return how one person fared against everyone else. */
export function againstTable(rows) {
  if (!rows.length) return h("p", { class: "soft" }, say("history.nobody"));
  const heads = [say("score.player"), say("history.played"), say("history.won"), say("history.lost"), say("history.even")];
  return h("div", { class: "card" }, h("table", { class: "against" },
    h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.name), [row.games, row.won, row.lost, row.even].map((n) => h("td", {}, number(n))))))));
}
