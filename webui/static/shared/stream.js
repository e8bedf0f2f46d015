// The line to the server: the whole state first, then what changes, and word of when it is lost. All tabs of a browser
// share one, for over HTTP/1.1 it opens six connections to an address, and a line keeps one: the tab that was opened or
// came into view last has it, and tells the others what it hears.

import { address, get } from "./api.js";
import { breathe } from "./dom.js";
import { mergeState, now, replaceState, setYou } from "./state.js";

const SILENCE_MS = 40000; // the server says something at least every 15 s
const AGAIN_MS = 2000;
const PATIENCE_MS = 4000;
const TURN_MS = 500; // within so long one of the tabs out of view takes over a line

let source = null; // null while another tab has the line
let claim = null; // when this tab took the line: the later one keeps it
let tabs = null; // the other ones; null where the browser (Safari before 15.4) has no way to them
let base = "";
let heardAt = 0;
let lostTimer = null;
let againTimer = null;
let checkTimer = null;
let isLost = false;
let isClosed = false;
let asked = 0;
const listeners = new Set();
const waiting = [];

/** Be told `true` when the server no longer answers, and `false` when it does again. */
export function onLost(told) {
  listeners.add(told);
}

/** Follow what the calls below a path tell: of the table itself, or of the hall. */
export async function openStream(path = "") {
  base = path;
  replaceState(await state());
  if ("BroadcastChannel" in window) tabs = new BroadcastChannel(`${document.documentElement.lang} ${address(`${base}/events`)}`);
  tabs?.addEventListener("message", ({ data }) => hearTab(data));
  connect();
  addEventListener("online", () => connect());
  // By another line: what the old one brought before, and is only read now, would say that all is well.
  addEventListener("offline", () => (setLost(true), connect()));
  addEventListener("pagehide", letGo);
  document.addEventListener("visibilitychange", () => !document.hidden && (source ? check() : connect()));
  checkTimer = setInterval(check, SILENCE_MS / 4);
}

/** Take in what another tab says: that it has the line, that nobody has it, or what it heard. */
function hearTab({ taken, told, lost }) {
  if (taken && (claim === null || isLater(taken, claim))) hangUp();
  else if (source) return;
  else if (told) hear(...told);
  else if (lost !== undefined) setLost(lost);
  else againTimer = setTimeout(connect, document.hidden ? Math.random() * TURN_MS : 0);
}

const isLater = ([at, chance], [than, orThan]) => at > than || (at === than && chance > orThan);

function hangUp() {
  clearTimeout(againTimer);
  clearTimeout(lostTimer);
  source?.close();
  source = claim = lostTimer = null;
}

/** Leave the line to another tab. */
function letGo() {
  if (!source) return;
  hangUp();
  tabs?.postMessage({});
}

const state = () => get(`${base}/state`);

/** Ask who this phone is; an answer that comes after a newer question does not count. */
export async function askWhoIAm() {
  const mine = ++asked;
  const you = await get("/you");
  if (mine === asked) setYou(you);
}

function connect() {
  if (isClosed) return;
  hangUp();
  claim = [Date.now(), Math.random()];
  tabs?.postMessage({ taken: claim });
  source = new EventSource(address(`${base}/events`));
  source.addEventListener("open", heard);
  for (const kind of ["state", "change", "paired"]) {
    source.addEventListener(kind, ({ data }) => {
      hear(kind, data);
      tabs?.postMessage({ told: [kind, data] });
    });
  }
  source.addEventListener("error", () => {
    // A server that restarts answers again within a second: that is not worth a word.
    lostTimer ??= setTimeout(() => setLost(true), AGAIN_MS);
    if (source?.readyState === EventSource.CLOSED) againTimer = setTimeout(followTable, AGAIN_MS);
  });
}

function hear(kind, data) {
  if (kind === "paired") heard();
  else take(data, kind === "state" ? replaceState : mergeState);
  if (kind !== "change") askWhoIAm().catch(() => {});
}

/** Be told of nothing more. */
export function closeStream() {
  letGo();
  clearTimeout(againTimer);
  clearInterval(checkTimer);
  tabs?.close();
  isClosed = true;
}

/** Where no game runs any more, the table's page says what does; screens wait for the next one. */
async function followTable() {
  const isOver = await state().then(() => false, (error) => error.status === 404);
  const { phase } = isOver && location.pathname === "/" ? await get("/table").catch(() => ({})) : {};
  if (phase === "home" || phase === "set_up") location.replace("/");
  else connect();
}

/** Take in one message after the other; between two the browser may draw and hear. */
async function take(text, how) {
  heard();
  waiting.push([text, how]);
  if (waiting.length > 1) return;
  while (waiting.length) {
    const [next, takeIn] = waiting[0];
    takeIn(JSON.parse(next));
    await breathe();
    waiting.shift();
  }
}

function heard() {
  heardAt = Date.now();
  clearTimeout(lostTimer);
  lostTimer = null;
  setLost(false);
}

/** A phone that slept, or lost its Wi-Fi, holds a line that is dead and does not say so. */
async function check() {
  if (isClosed) return;
  if (Date.now() - heardAt < SILENCE_MS && !isLost) return;
  try {
    const told = await Promise.race([state(), new Promise((_, no) => setTimeout(no, PATIENCE_MS))]);
    const isNew = told.number !== now().number;
    if (isNew || source?.readyState === EventSource.CLOSED) connect();
    replaceState(told);
    heard();
  } catch {
    setLost(true);
    connect();
  }
}

function setLost(next) {
  if (next === isLost) return;
  isLost = next;
  if (source) tabs?.postMessage({ lost: isLost });
  for (const told of listeners) told(isLost);
}
