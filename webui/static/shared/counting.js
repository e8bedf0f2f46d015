// Counting the points by the table's clock: every phone and every screen is at the same step, whenever it comes.

import { get } from "./api.js";
import { lineText } from "./final_score.js";
import { nameOf } from "./names.js";
import { now, seated, theBoard, watch } from "./state.js";
import { say } from "./words.js";

let aheadMs = null; // by how much the table's clock is ahead of this device's, which may be wrong

/** Call `show(n)` whenever a step of the counting begins, with its number from 0, and `show(null)` where nobody counts. */
export function followCounting(show) {
  let stop = () => {};
  let latest = 0;
  return watch((state) => [state.phase, state.counting], async ([phase, counting]) => {
    const mine = ++latest;
    stop();
    if (phase !== "counting") return show(null);
    aheadMs ??= await clockAheadMs().catch(() => null);
    if (mine === latest) stop = walk(counting, aheadMs ?? counting.steps[0].at_s * 1000 - Date.now(), show);
  });
}

/** Go through the steps again on this device alone; gives what stops it. */
export function countAgain(show) {
  const { steps, ends_at_s: end } = now().counting;
  return walk({ steps: [...steps, { at_s: end }] }, steps[0].at_s * 1000 - Date.now(), (n) => show(n < steps.length ? n : null));
}

async function clockAheadMs() {
  const asked = Date.now();
  const { now_s: told } = await get("/clock");
  return told * 1000 - (asked + Date.now()) / 2;
}

function walk({ steps }, ahead, show) {
  let timer = null;
  const go = () => {
    const at = (Date.now() + ahead) / 1000;
    const coming = steps.findIndex((step) => step.at_s > at);
    show(Math.max(0, (coming < 0 ? steps.length : coming) - 1));
    if (coming > 0) timer = setTimeout(go, (steps[coming].at_s - at) * 1000 + 1);
  };
  go();
  return () => clearTimeout(timer);
}

/** Return how things stand at a step: each seat's `totals` and what they `gained`, the `player` and `line` that are counted, the `words` for it, and its `routes` on the board. */
export function countedAt(n) {
  const { players, counting, spots } = now();
  const totals = new Map(players.map((player) => [player.seat, player.route_points]));
  const gained = new Map();
  for (const { seat, line } of counting.steps.slice(1, n + 1)) {
    const { points } = seated(seat).lines[line];
    totals.set(seat, totals.get(seat) + points);
    gained.set(seat, (gained.get(seat) ?? 0) + points);
  }
  const step = counting.steps[n];
  const player = n ? seated(step.seat) : null;
  const line = player?.lines[step.line];
  return { totals, gained, player, line, words: player ? `${nameOf(player)}: ${lineText(line)}` : say("ceremony.routes"), routes: player ? routesOf(player, line) : Object.keys(spots).filter(isRoute).map(idOf) };
}

/** Return players in the order of some totals; who was ahead stays ahead of an equal. */
export const inOrderOf = (totals) => [...now().players].sort((a, b) => totals.get(b.seat) - totals.get(a.seat));

const isRoute = (spot) => spot.startsWith("route:") && now().spots[spot].colour;
const idOf = (spot) => spot.slice("route:".length);

/** Return the routes that a line is of: the longest path, or a way that does the ticket. */
function routesOf(player, { kind, values }) {
  if (kind.startsWith("longest")) return player.path_routes;
  const name = (id) => theBoard().place[id]?.name;
  const ticket = kind === "ticket_done" ? player.tickets.find(({ a, b }) => [`${name(a)} - ${name(b)}`, `${name(b)} - ${name(a)}`].includes(values.ends)) : null;
  return ticket ? wayBetween(player.colour, ticket.a, ticket.b) : [];
}

function wayBetween(colour, from, to) {
  const own = Object.entries(now().spots).filter(([spot, held]) => isRoute(spot) && held.colour === colour).map(([spot]) => theBoard().route[idOf(spot)]);
  const ways = new Map([[from, []]]);
  for (const [place, way] of ways) {
    for (const { id, a, b } of own) {
      const next = place === a ? b : place === b ? a : null;
      if (next && !ways.has(next)) ways.set(next, [...way, id]);
    }
  }
  return ways.get(to) ?? [];
}
