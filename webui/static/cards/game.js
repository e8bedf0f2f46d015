// The game that is open: what the server has of it, and what this phone has changed since.

import { CallError, get, patch, post, put } from "../shared/api.js";
import { toast } from "../shared/sheets.js";
import { say } from "../shared/words.js";
import { faultText } from "./faults.js";
import { lookAt } from "./look.js";

const WAIT_MS = 350;
const RETRY_MS = 2000;
const LOOK_MS = 4000;

let told = null;
const dirty = new Set();
let saving = false;
let timer = null;
let show = () => {};

export const theGame = () => told;
export const isSaved = () => dirty.size === 0 && !saving;
const path = (rest = "") => `/card-games/${told.id}${rest}`;

/** Open a game and keep it true; `shown()` is called whenever it is another. */
export async function openGame(id, shown) {
  show = shown;
  told = await get(`/card-games/${id}`);
  show();
  setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", () => document.hidden && dirty.size && save());
}

/** Return what counts for one player. */
export function holdingOf(colour) {
  const { game } = told;
  return { stack: game.stack?.[colour] ?? {}, tickets: game.tickets?.[colour] ?? [], chosen: game.chosen?.[colour] ?? null };
}

/** Change what a player has: shown at once, sent when the thumb rests. */
export function hold(colour, change) {
  const next = { ...holdingOf(colour), ...change };
  const { game } = told;
  const chosen = { ...game.chosen, [colour]: next.chosen };
  if (next.chosen === null) delete chosen[colour];
  told = { ...told, game: { ...game, stack: { ...game.stack, [colour]: next.stack }, tickets: { ...game.tickets, [colour]: next.tickets }, chosen } };
  dirty.add(colour);
  clearTimeout(timer);
  timer = setTimeout(save, WAIT_MS);
  show();
}

/** Change something of the whole game; gives back whether it was done. */
export async function change(fields) {
  return whole(() => patch(path(), { ...fields, seen: told.seen.game }));
}

export async function beginSecondDeck() {
  return whole(() => post(path("/second-deck"), { seen: told.seen.game }));
}

/** Put the whole game back as it was. */
export async function restore(game) {
  return whole(() => put(path(), { game, seen: told.seen.game }));
}

async function whole(act) {
  await save();
  if (dirty.size) return false;
  try {
    told = await act();
    return true;
  } catch (error) {
    await fail(error);
    return false;
  } finally {
    show();
  }
}

/** Send what was changed, one player after the other. */
async function save() {
  clearTimeout(timer);
  while (saving) await new Promise((go) => setTimeout(go, 50));
  saving = true;
  try {
    for (const colour of [...dirty]) {
      dirty.delete(colour);
      const sent = holdingOf(colour);
      try {
        take(await put(path(`/players/${colour}`), { ...sent, seen: told.seen.players[colour] }));
      } catch (error) {
        if (error.status === 0 || error.status === 429 || error.status === 503) dirty.add(colour);
        await fail(error);
      }
    }
  } finally {
    saving = false;
    show();
  }
}

/** Take what the server has, but for what this phone changed since it asked. */
function take(answer) {
  const { game } = answer;
  for (const colour of dirty) {
    const { stack, tickets, chosen } = holdingOf(colour);
    game.stack = { ...game.stack, [colour]: stack };
    game.tickets = { ...game.tickets, [colour]: tickets };
    game.chosen = { ...game.chosen };
    if (chosen === null) delete game.chosen[colour];
    else game.chosen[colour] = chosen;
  }
  told = answer;
}

async function fail(error) {
  if (!(error instanceof CallError)) throw error;
  toast(error.status === 409 ? say("cards.changed") : faultText(error), { isTrouble: true });
  if (dirty.size) {
    clearTimeout(timer);
    timer = setTimeout(save, RETRY_MS);
  } else {
    take(await get(path()).catch(() => told));
  }
}

/** See what other phones changed. */
async function look() {
  if (document.hidden || saving || dirty.size) return;
  const before = told.seen.game;
  const answer = await lookAt(path());
  if (!answer || saving || dirty.size || answer.seen.game === before || told.seen.game !== before) return;
  told = answer;
  show();
}

// The games that this phone has a link to, kept in its own browser.

const NAME = "railspotter.card-games";
const MOST = 20;

export function keptGames() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? kept.filter((game) => /^[0-9a-f]{32}$/.test(game?.id)) : [];
  } catch {
    return [];
  }
}

export function keepGame(id, who, kind = "game") {
  store([{ id, who, kind }, ...keptGames().filter((game) => game.id !== id)].slice(0, MOST));
}

export function forgetGame(id) {
  store(keptGames().filter((game) => game.id !== id));
}

function store(games) {
  try {
    localStorage.setItem(NAME, JSON.stringify(games));
  } catch {
    // a private window may refuse: the link still opens the game
  }
}
