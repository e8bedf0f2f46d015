// The list of past games, newest first, with what to show of them.

import { address, get } from "../shared/api.js";
import { button, car, fill, h, pictureIfThere } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { toast } from "../shared/sheets.js";
import { day, dayAndTime, list, number, say, sayCount } from "../shared/words.js";
import { comeIn, takeInCard } from "./host.js";

const at = (id) => document.getElementById(id);
const NAMES = ["edition", "player", "page"];
const AGAIN_MS = 30;
let asking = 0;

start();

async function start() {
  await comeIn().catch((error) => toast(error.message, { isTrouble: true }));
  addEventListener("popstate", show);
  at("records").open = matchMedia("(min-width: 62rem)").matches; // beside the games; else above them
  fill(at("host"), takeInCard(show));
  await show();
  document.body.dataset.ready = "yes";
}

/** Return what the address asks for. */
function wanted() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ""]));
}

/** Ask for other games; the way back leads to these. */
function want(changes) {
  const query = new URLSearchParams(Object.entries({ ...wanted(), ...changes }).filter(([, value]) => value));
  history.pushState(null, "", query.size ? `?${query}` : location.pathname);
  return show();
}

/** Show what the address asks for; games that were never read come bit by bit. */
async function show() {
  const own = ++asking;
  for (;;) {
    const query = new URLSearchParams(Object.entries(wanted()).filter(([, value]) => value));
    let told;
    try {
      told = await get(`/games?${query}`);
    } catch (error) {
      return toast(error.message, { isTrouble: true });
    }
    if (own !== asking) return null; // something else was asked for meanwhile
    draw(told);
    if (!told.unread) return null;
    await new Promise((go) => setTimeout(go, AGAIN_MS));
  }
}

function draw(told) {
  const { player } = wanted();
  at("filters").hidden = !told.all;
  fill(at("filters"),
    choice("edition", say("history.edition"), say("history.all_editions"), told.editions.map((one) => [one.edition, one.title])),
    choice("player", say("score.player"), say("history.all_players"), told.people.map((one) => [one.key, sayCount("history.person", one.games, { name: one.name })])));
  at("count").textContent = told.unread ? sayCount("history.unread", told.unread) : told.all ? sayCount("history.count", told.count) : say("history.none");
  fill(at("games"), told.games.map(row));
  fill(at("bests"), bestCards(told.bests));
  at("against").hidden = !player;
  fill(at("against").querySelector("div"), player ? againstTable(told.head_to_head) : null);
  at("pages").hidden = told.pages < 2;
  fill(at("pages"), pager(told));
}

function choice(name, label, all, options) {
  const now = wanted()[name];
  const id = `filter-${name}`;
  const select = h("select", { id, "data-key": id, on: { change: () => want({ [name]: select.value, page: "" }) } },
    [["", all], ...options].map(([value, text]) => h("option", { value, selected: value === now }, text)));
  return h("div", {}, h("label", { for: id }, label), select);
}

const PROBLEMS = { content: "history.content", ended: "history.program_ended" };

function row(game) {
  if (game.is_damaged) return h("li", { class: "past card" }, h("span", {}, say(PROBLEMS[game.problem] ?? "history.damaged", { id: game.id.slice(0, 8) })));
  return h("li", {}, h("a", { class: "past card", href: `/history/${game.id}`, "data-key": `game-${game.id}` },
    h("span", { class: "past-head" },
      h("strong", {}, game.name || game.title),
      h("span", { class: "soft" }, dayAndTime(game.began_at_s)),
      h("span", { class: "soft" }, game.ended ? game.title : say("history.unfinished", { edition: game.title })),
      game.is_unsure ? h("span", { class: "tag" }, say("tag.not_sure")) : null,
      game.counts ? null : h("span", { class: "tag" }, say("tag.counts_not")),
      game.lost_events ? h("span", { class: "soft" }, say("history.lost_events")) : null),
    game.packed_away ? packedPicture(game) : null,
    h("span", { class: "past-players" }, game.players.map(chip)),
    wonBy(game)));
}

/** Return who has won, and by how many points. */
function wonBy({ players }) {
  const winners = players.filter((player) => player.is_winner);
  const others = players.filter((player) => !player.is_winner).map((player) => player.points);
  if (!winners.length || !others.length) return null;
  const margin = winners[0].points - Math.max(...others);
  const name = list(winners.map(nameOf));
  return h("span", { class: "soft" }, margin ? sayCount("history.won_by", margin, { name }) : say("history.won_tie", { name }));
}

/** Return the board of a game that was packed away; nothing is left of it where no picture was kept. */
function packedPicture({ id }) {
  return pictureIfThere({ class: "packed-picture", loading: "lazy", src: address(`/games/${id}/packed.jpg`), alt: say("history.packed") });
}

function chip(player) {
  return h("span", { class: player.is_winner ? "chip is-winner" : "chip" }, car(paintOf(player.colour)),
    h("span", {}, nameOf(player), player.is_winner ? h("span", { class: "tag tag-winner" }, say("tag.winner")) : null),
    h("strong", { class: "sum" }, number(player.points)));
}

function pager({ page, pages }) {
  const turn = (key, text, to) => button(key, text, () => want({ page: String(to) }), { disabled: to < 1 || to > pages });
  return [turn("newer", say("history.newer"), page - 1), h("span", {}, say("history.page", { page: number(page), pages: number(pages) })), turn("older", say("history.older"), page + 1)];
}

// Who was best at what, and who won against whom.

const BESTS = [
  ["most_points", "history.most_points"],
  ["longest_path", "history.longest_path"],
  ["most_routes", "history.most_routes"],
];

/** Return the records, a card for each edition. */
function bestCards(bests) {
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
function againstTable(rows) {
  if (!rows.length) return h("p", { class: "soft" }, say("history.nobody"));
  const heads = [say("score.player"), say("history.played"), say("history.won"), say("history.lost"), say("history.even")];
  return h("div", { class: "card" }, h("table", { class: "against" },
    h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.name), [row.games, row.won, row.lost, row.even].map((n) => h("td", {}, number(n))))))));
}
