// The hall's tournament: who sits where, what came of it, who is how far ahead and why.

import { address, get } from "../shared/api.js";
import { button, dress, fill, h } from "../shared/dom.js";
import { me, watch } from "../shared/state.js";
import { learn, number, say, sayCount } from "../shared/words.js";

const SHEETS = ["standings", "pairings", "results"];

let held = null;
let shownRound = 0; // 0 is the newest
let host = null; // what only the host needs is fetched for the host

/** Show the tournament in a place of the page, now and whenever it changes. */
export async function showTournament(place) {
  await Promise.all([learn("/words/tournament"), dress("hall/tournament.css")]);
  let asked = 0;
  const show = () => fill(place, parts(show));
  watch((state, you) => [state.tournament, you.is_host], async (_, isHost) => {
    const mine = ++asked;
    const [told, forHost] = await Promise.all([get("/hall/tournament").catch(() => null), isHost ? import("./tournament_host.js") : null]);
    if (mine !== asked || !told) return;
    [held, host] = [told.tournament, forHost];
    show();
    place.dataset.shown = held?.facts ?? 0;
  });
}

/** Return a player's name in the tournament. */
export const nameIn = (tournament, id) => tournament.players.find((one) => one.id === id)?.name ?? id;

function parts(again) {
  const isHost = me().is_host && host;
  if (!held) return [h("p", { class: "soft" }, say("tournament.none")), isHost ? host.beginButton(null) : null];
  const last = held.rounds.length;
  const round = held.rounds[(shownRound || last) - 1] ?? null;
  const here = held.players.filter((one) => one.is_present).length;
  return [
    h("h2", {}, held.name),
    h("p", { class: "soft" }, sayCount("tournament.players", here)),
    isHost ? host.actions(held) : null,
    round ? pairings(round, isHost) : h("p", {}, say("tournament.not_seated")),
    last > 1 ? rounds(round, last, again) : null,
    held.players.length ? standing() : null,
    h("div", { class: "tournament-sheets" }, SHEETS.map((sheet) => h("a", { class: "button", href: address(`/hall/tournament/csv/${sheet}`), download: `${sheet}.csv` }, say(`tournament.csv_${sheet}`)))),
    isHost ? host.beginButton(held) : null,
  ];
}

function rounds(round, last, again) {
  const choose = (n) => ((shownRound = n === last ? 0 : n), again());
  return h("div", { class: "hall-filters", role: "group", "aria-label": say("tournament.rounds") }, Array.from({ length: last }, (_, i) => button(`round-${i + 1}`, number(i + 1), () => choose(i + 1), {
    "aria-label": say("tournament.round", { n: number(i + 1) }),
    "aria-pressed": String(round.round === i + 1),
  })));
}

function pairings(round, isHost) {
  const title = say(round.is_closed ? "tournament.round_closed" : "tournament.round", { n: number(round.round) });
  return h("section", {},
    h("h3", {}, title),
    h("ol", { class: "plain tournament-tables" }, round.tables.map((table) => pairing(round, table, isHost))),
    round.byes.length ? h("p", {}, say("tournament.byes", { names: round.byes.map((id) => nameIn(held, id)).join(", ") })) : null);
}

function pairing(round, table, isHost) {
  const { result } = table;
  const order = result ? [...table.players].sort((one, other) => result.places[one] - result.places[other]) : table.players;
  return h("li", { class: "card tournament-table", "data-pairing": table.table },
    h("h4", {}, say("tournament.table", { n: number(table.table) })),
    h("ol", { class: "plain" }, order.map((id) => h("li", { class: "line" },
      h("span", {}, nameIn(held, id)),
      result ? h("span", { class: "sum" }, say("tournament.scored", { points: number(result.points[id]), won: result.tournament_points[id] })) : null))),
    isHost ? host.resultButton(held, round, table) : null);
}

function standing() {
  const heads = ["place", "name", "wins", "points"];
  return h("section", {}, h("h3", {}, say("tournament.standing")),
    h("table", { class: "score-table tournament-standing" },
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, say(`tournament.${head}`))))),
      h("tbody", {}, held.standings.map(row))));
}

function row({ place, player, points, wins, reason }) {
  const isGone = !held.players.find((one) => one.id === player).is_present;
  return h("tr", {}, h("td", {}, number(place)),
    h("th", { scope: "row" }, h("span", {}, nameIn(held, player), isGone ? [" ", h("span", { class: "tag" }, say("tournament.gone"))] : null,
      reason ? h("small", { class: "soft" }, reason) : null)),
    h("td", {}, number(wins)), h("td", {}, points));
}
