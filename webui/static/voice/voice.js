// The voice that calls the game. It knows what it has told and what is so, and says the difference: never what is undone by
// then, and a correction once.

import { winnerText } from "../shared/final_score.js";
import { lanesOf, nameOf, nameOfSeat, newPinText, placeName, routePoints, spotName, spotParts, who } from "../shared/names.js";
import { now, standing, theBoard, watch } from "../shared/state.js";
import { learn, list, say, sayCount, sentence } from "../shared/words.js";
import { setting } from "../table/sounds.js";
import { canSpeak, hasVoice, hush, isTouched, sayAloud } from "./speech.js";

const AT_ONCE = 3; // more claims than that were not made one after the other

export const isOn = setting("voice");
export const isFuller = setting("voice-fuller");

let wanted = null; // "on" or "more" where the page's address asks for a voice: nobody chooses there
const speaks = () => wanted !== null || isOn.get();
const saysMore = () => (wanted === null ? isFuller.get() : wanted === "more");

let told = null; // what stood on each spot when the voice last spoke of it
const called = new Map(); // whose claim of each spot was told last
let leading = ""; // who led when it last said so
let started = null;

/** Begin to call the game, where this device is to. */
export const startVoice = () => (started ??= begin());

async function begin() {
  await learn("voice");
  told = new Map();
  Object.keys(now().spots).forEach(isTold);
  leading = leaders().map(({ seat }) => seat).join();
  watch((state) => [state.spots, state.table.joining], callSpots);
  watch((state) => [state.game.last_turns_by], ([seat], before) => seat && before && call("last turns", () => say("last_turns.said", { name: nameOfSeat(seat) })));
  watch((state) => [state.table.hindrance?.kind ?? null], (_, before) => before && call("hindrance", hindranceText));
  watch((state) => [state.game.paused], (_, before) => before && call("pause", () => say(now().game.paused ? "voice.paused" : "voice.resumed")));
  watch((state) => [state.phase], ([phase], before) => phase === "winner" && before && callWinner());
  watch((state) => [state.cards?.to_lay], callToLay);
  watch((state) => [state.cards ? state.cards.turn : state.game.likely_turn], (_, before) => before && callFully("turn", turnText));
  watch((state) => [state.questions], callQuestions);
  watch((state) => [state.problems], callProblems);
}

/** Turn the voice on or off; turned on it says so, which also lets the browser speak. */
export async function putVoice(on) {
  isOn.set(on);
  hush();
  if (!on) return;
  await startVoice();
  sayAloud("voice", () => say("voice.on"));
}

/** Call the game on a page where nobody taps: "on", or "more" for turns and questions too. */
export function speakHere(level) {
  wanted = level;
  return startVoice();
}

/** Return what to say where this device does not speak yet; the empty text where it does. */
export function touchText() {
  if (!hasVoice()) return say(canSpeak() ? "voice.no_language" : "voice.cannot");
  return isTouched() ? "" : say("voice.touch");
}

/** Be told once somebody has touched the page. */
export function whenTouched(told) {
  for (const type of ["pointerup", "keyup"]) addEventListener(type, () => told(), { once: true, passive: true });
}

/** What is told is kept up to date by a silent voice as well: turned on later, it tells nothing old. */
function call(about, text) {
  if (speaks()) sayAloud(about, text);
}

function callFully(about, text) {
  if (saysMore()) call(about, text);
}

function callSpots() {
  const spots = new Set([...told.keys(), ...Object.keys(now().spots)]);
  const changed = [...spots].filter((spot) => (standing(spot) ?? null) !== (told.get(spot) ?? null));
  const moved = laneMoved(changed);
  if (!speaks() || now().table.joining) changed.forEach(isTold);
  else if (moved) call(moved.to, (isLate) => otherLaneText(moved, isLate));
  else if (changed.length > AT_ONCE) call("many", () => manyText(changed));
  else for (const spot of changed) call(spot, (isLate) => spotText(spot, isLate));
}

function isTold(spot) {
  const colour = standing(spot) ?? null;
  told.set(spot, colour);
  if (colour !== null) called.set(spot, colour);
}

function manyText(spots) {
  spots.forEach(isTold);
  return `${sayCount("voice.many", spots.length)} ${leaderText(true)}`;
}

function spotText(spot, isLate) {
  const [before, last] = [told.get(spot) ?? null, called.get(spot)];
  isTold(spot);
  const colour = told.get(spot);
  if (colour === before || isLate) return null;
  const values = { what: spoken(spot), who: who(colour) };
  if (colour === null) return say("voice.freed", values) + newLeaderText();
  const isNew = before === null && last !== colour;
  const text = isNew ? claimText(spot, colour) + leaderText(false, colour) : say(last === colour ? "voice.again" : "voice.corrected", values) + newLeaderText();
  return [text, newPinText(spot, colour)].filter(Boolean).join(" ");
}

/** Return what a correction moved to the other lane of a route, in a sentence; null where it did anything else. */
function laneMoved(changed) {
  const [[from, ...more], [to, ...others]] = [changed.filter((spot) => !standing(spot)), changed.filter((spot) => standing(spot))];
  if (!from || !to || more.length || others.length || told.get(to) || told.get(from) !== standing(to)) return null;
  const isLane = spotParts(to)[0] === "route" && lanesOf(spotParts(to)[1]).some(({ id }) => `route:${id}` === from);
  return isLane ? { from, to } : null;
}

function otherLaneText({ from, to }, isLate) {
  const [before, colour] = [told.get(from), standing(to)];
  [from, to].forEach(isTold);
  return isLate || standing(from) || before !== colour ? null : say("voice.other_lane", { what: spoken(to), who: who(colour) });
}

/** Return who leads where a correction changed that; else the empty text. */
function newLeaderText() {
  const seats = leaders().map(({ seat }) => seat).join();
  if (seats === leading) return "";
  const text = leaderText(true);
  return text && ` ${text}`;
}

/** Return who claimed what, and for how many points. */
export function claimText(spot, colour) {
  const [kind, id] = spotParts(spot);
  const values = { who: who(colour), what: spoken(spot) };
  if (kind === "station") return say("voice.station", { who: values.who, place: placeName(id) });
  const points = kind === "route" ? routePoints(id, colour) : null;
  return points === null ? say("voice.site", values) : sayCount("voice.claim", points, values);
}

/** A double route is called by its cities: which lane it is, everybody sees. */
function spoken(spot) {
  const [kind, id] = spotParts(spot);
  const route = kind === "route" ? theBoard().route[id] : null;
  return route ? say("voice.route", { a: placeName(route.a), b: placeName(route.b) }) : spotName(spot);
}

function leaders() {
  const most = Math.max(...now().players.map((player) => player.points));
  return most > 0 ? now().players.filter((player) => player.points === most) : [];
}

/** Return who leads, where that is new, or the one who has just claimed. */
function leaderText(isAsked, colour = null) {
  const first = leaders();
  const seats = first.map(({ seat }) => seat).join();
  const isNew = seats !== leading;
  const isOwn = first.length === 1 && first[0].colour === colour;
  leading = seats;
  if (!first.length || !(isAsked || isNew || isOwn)) return isAsked ? "" : ".";
  const text = first.length === 1 ? say("voice.leads", { name: nameOf(first[0]) }) : say("voice.lead_together", { names: list(first.map(nameOf)) });
  return isAsked ? `${text}.` : `; ${text}.`;
}

const HINDERED = { camera: "voice.no_camera", board: "voice.no_board", covered: "voice.covered" };

function hindranceText() {
  const kind = now().table.hindrance?.kind ?? null;
  return say(kind in HINDERED ? HINDERED[kind] : "voice.sees");
}

function callWinner() {
  const { title, reason } = winnerText(now().players);
  call("winner", () => `${title} ${reason}`);
}

/** What a computer claims, or was paid on the map, has to be laid by somebody. */
async function callToLay([toLay], before) {
  if (!toLay?.length || !before || !speaks()) return;
  const isNew = (one) => !(before[0] ?? []).some((other) => other.spot === one.spot);
  const fresh = toLay.filter(isNew);
  if (!fresh.length) return;
  const [{ taskText }] = await Promise.all([import("../dealt/to_lay.js"), learn("dealt")]);
  for (const one of fresh) call(`lay ${one.spot}`, () => (now().cards?.to_lay.some((other) => other.spot === one.spot) ? taskText(one) : null));
}

function turnText(isLate) {
  const { cards, game } = now();
  const seat = cards ? cards.turn : game.likely_turn;
  if (!seat || isLate || game.ended) return null;
  return say(cards ? "voice.turn" : "turn.likely", { name: nameOfSeat(seat) });
}

/** What cannot be is said after the claim that brought it. */
function callProblems([problems], before) {
  const isSaid = (what, all = []) => all.some((one) => one.what === what);
  for (const { what } of before ? problems : []) {
    if (!isSaid(what, before[0])) call(`problem ${what}`, () => (isSaid(what, now().problems) ? sentence(what) : null));
  }
}

function callQuestions([questions], before) {
  if (!before) return;
  const old = new Set(before[0].map((one) => one.id));
  for (const question of questions.filter((one) => !old.has(one.id))) {
    const isOpen = () => now().questions.some((one) => one.id === question.id);
    callFully(`question ${question.id}`, () => (isOpen() ? questionText(question) : null));
  }
}

/** Return what is asked, with the answers to choose from. */
export function questionText({ kind, about, choices }) {
  return say("voice.question", { spot: spoken(`${kind}:${about}`), choices: list(choices.map(who), "disjunction") });
}
