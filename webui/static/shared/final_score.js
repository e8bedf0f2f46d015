// The score of a game: who has won and what decided it, everyone's points as a table, and where each point comes from.

import { car, h } from "./dom.js";
import { nameOf } from "./names.js";
import { paintOf } from "./paint.js";
import { now } from "./state.js";
import { list, number, say, sayCount, sentence, signed } from "./words.js";

const LEVEL = { "completed tickets": "tie.level_tickets", "fewest stations": "tie.level_stations", "longest path": "tie.level_path", "longest path card": "tie.level_card" };
const RULES = { "completed tickets": "tie.tickets", "fewest stations": "tie.stations", "longest path": "tie.path", "longest path card": "tie.card" };

/** Return what cannot be by the rules, in sentences; the empty text where all is well. */
export const problemText = () => (now().problems ?? []).map(({ what }) => sentence(what)).join(" ");

/** Return the line that names the winners, and the one that says why, and what is wrong with that. */
export function winnerText(players) {
  const winners = players.filter((player) => player.is_winner);
  if (!winners.length) return { title: say("winner.undecided"), reason: `${say("winner.why_undecided")} ${doubtText(players)}`.trim() };
  const names = list(winners.map(nameOf));
  const most = Math.max(...players.map((player) => player.points));
  const reason = `${reasonFor(winners, players.filter((player) => player.points === most), most)} ${doubtText(players)}`.trim();
  if (problemText()) return { title: say("winner.doubtful", { names }), reason };
  return { title: winners.length === 1 ? say("winner.single", { name: names }) : say("winner.several", { names }), reason };
}

/** Return what may be wrong with a score: whose tickets are missing beside those of the others, open questions, what cannot be by the rules. */
export function doubtText(players) {
  const { questions } = now();
  const missing = players.filter((player) => !player.tickets.length);
  const untold = missing.length && missing.length < players.length ? say("winner.untold", { names: list(missing.map(nameOf)) }) : "";
  return [untold, questions?.length ? sayCount("ending.open", questions.length) : "", problemText()].filter(Boolean).join(" ");
}

function reasonFor(winners, tied, most) {
  if (tied.length === 1) return sayCount("winner.points", most);
  const names = list(tied.map(nameOf));
  if (winners.length === tied.length) return sayCount("winner.shared", most, { names });
  const ties = now().game.ties_broken;
  const steps = ties.slice(0, -1).map(({ by, left }) => say(LEVEL[by], { names: list(tied.filter(({ colour }) => left.includes(colour)).map(nameOf)) }));
  return [say("tie.points", { names, points: number(most) }), ...steps, say(RULES[ties.at(-1).by], { winner: list(winners.map(nameOf)) })].join(" ");
}

/** Return the players in the order of the result. */
export const winnersFirst = (players) => [...players].sort((a, b) => Number(b.is_winner) - Number(a.is_winner) || b.points - a.points);

/** Return everyone's points as a table: routes, tickets, bonuses, all. */
export function scoreTable(players) {
  const cells = (player) => [player.route_points, player.ticket_points, player.points - player.route_points - player.ticket_points, player.points];
  return h("table", { class: "score-table" },
    h("caption", { class: "unseen" }, say("ending.table")),
    h("thead", {}, h("tr", {}, [say("score.player"), say("score.routes"), say("score.tickets"), say("score.bonuses"), say("score.total")].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, winnersFirst(players).map((player) => h("tr", {}, h("th", { scope: "row" }, car(paintOf(player.colour)), h("span", {}, nameOf(player))), cells(player).map((points) => h("td", {}, number(points)))))));
}

/** Return every point with where it came from. */
export function pointLines(player) {
  if (!player.lines.length) return h("p", { class: "soft" }, say("player.no_points"));
  return h("section", {}, h("h3", {}, say("player.lines")), h("ul", { class: "plain" }, player.lines.map((line) =>
    h("li", { class: "line" }, h("span", {}, lineText(line)), h("span", { class: "sum" }, signed(line.points))))));
}

/** Return how long a player's turns took; nothing where nobody marks whose turn it is. */
export function turnTime({ seat }) {
  const time = now().game.turn_times?.find((one) => one.seat === seat);
  if (!time?.turns) return null;
  const seconds = Math.round(time.seconds);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return h("p", { class: "soft turn-time" }, sayCount("player.time", time.turns, { time: text }));
}

const LINES = {
  route: "line.route",
  ticket_done: "line.ticket_done",
  ticket_open: "line.ticket_open",
  longest: "line.longest",
  longest_undecided: "line.longest_undecided",
  borrowed: "line.borrowed",
  stations_undecided: "line.stations_undecided",
  globetrotter: "line.globetrotter",
  attraction: "line.attraction",
  site: "line.site",
  modes: "line.modes",
};

/** Return the words for a line of a player's score. */
export function lineText({ kind, values }) {
  if (kind === "stations") return sayCount("line.stations", values.n);
  const shown = Object.entries(values).map(([name, value]) => [name, typeof value === "number" ? number(value) : value.replaceAll(" - ", " – ")]);
  return say(LINES[kind], Object.fromEntries(shown));
}

/** Tell whether a line is of a route, a ticket, or a bonus of the end. */
export function lineGroup({ kind }) {
  if (kind === "route") return "route";
  return kind.startsWith("ticket_") || kind === "borrowed" ? "ticket" : "bonus";
}
