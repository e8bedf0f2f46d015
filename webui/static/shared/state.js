// What the table's server said last. Whoever shows a part of it is told when that part changes.

import { breathe } from "./dom.js";

let state = null;
let you = { role: "guest", is_host: false, seat: null };
let board = null;
const watchers = new Set();
const AT_ONCE_MS = 8;

export const now = () => state;
export const me = () => you;
export const theBoard = () => board;
export const mayChange = () => you.role !== "guest" || you.is_host;
export const playerOf = (colour) => state.players.find((player) => player.colour === colour) ?? null;
export const seated = (seat) => state.players.find((player) => player.seat === seat) ?? null;
export const mine = () => (you.seat ? seated(you.seat) : null);
/** Return the players, most points first. */
export const playersInOrder = (players) => [...players].sort((a, b) => a.place - b.place || players.indexOf(a) - players.indexOf(b));
/** Return what stands on a spot: its colour, null for known to be free, undefined for never said. */
export const standing = (spot) => state.spots[spot]?.colour;

/** Tell whether this phone may take back what is paid for a spot: the host asks, its player while nobody has moved since, or asked. */
export function mayHaveBack(spot) {
  if (you.is_host) return true;
  const { asked_back: asked, last, unvouched } = state.cards;
  if (!you.seat || unvouched.includes(you.seat)) return false;
  // What was turned over for a tunnel was seen.
  const isJustNow = last?.what === "paid" && last.spot === spot && last.seat === you.seat && !state.game.ended && !board.route[spot.slice(spot.indexOf(":") + 1)]?.tunnel;
  return isJustNow || (asked?.spot === spot && asked.seat === you.seat);
}

/**
 * Call `show(values, before)` now and whenever one of the values changes that `select` picks; `before` are those of
 * the last call, null at first. Values that stayed as they were are the same objects, so comparing them costs nothing.
 */
export function watch(select, show) {
  const watcher = { select, show, last: null };
  watchers.add(watcher);
  if (state) look(watcher);
  return () => watchers.delete(watcher);
}

export function replaceState(next) {
  const { you: alsoYou, ...shared } = next;
  if (alsoYou) you = share(you, alsoYou);
  state = share(state, shared);
  tell();
}

/** Take in a JSON merge patch (RFC 7386). */
export function mergeState(patch) {
  state = share(state, merged(state, patch));
  tell();
}

export function setYou(next) {
  you = share(you, next);
  if (state) tell();
}

export function setBoard(next) {
  const byId = (things) => Object.fromEntries((things ?? []).map((thing) => [thing.id, thing]));
  board = { ...next, sites: next.sites ?? [], route: byId(next.routes), place: byId(next.places), site: byId(next.sites) };
}

let isTelling = false;
let isNewer = false;

/** Tell everyone, pausing for the browser: what changed meanwhile is told in the next round. */
async function tell() {
  isNewer = true;
  if (isTelling) return;
  isTelling = true;
  let since = performance.now();
  while (isNewer) {
    isNewer = false;
    for (const watcher of watchers) {
      try {
        look(watcher);
      } catch (error) {
        reportError(error); // one part of the page less, and not all of it
      }
      if (performance.now() - since < AT_ONCE_MS) continue;
      await breathe();
      since = performance.now();
    }
  }
  isTelling = false;
}

function look(watcher) {
  const values = watcher.select(state, you);
  const before = watcher.last;
  if (before && values.every((value, i) => value === before[i])) return;
  watcher.last = values;
  watcher.show(values, before);
}

/** Return a value after a JSON merge patch. */
export function merged(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const whole = target && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete whole[key];
    else whole[key] = merged(whole[key], value);
  }
  return whole;
}

/** Return `after`, with every part that is as it was before being the same object as before. */
function share(before, after) {
  if (before === after || !before || !after || typeof before !== "object" || typeof after !== "object") return after;
  if (Array.isArray(before) !== Array.isArray(after)) return after;
  const keys = Object.keys(after);
  let isSame = keys.length === Object.keys(before).length;
  const whole = Array.isArray(after) ? [] : {};
  for (const key of keys) {
    whole[key] = share(before[key], after[key]);
    if (whole[key] !== before[key] || !(key in before)) isSame = false;
  }
  return isSame ? before : whole;
}
