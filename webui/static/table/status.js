// What the table is doing, in words, and whether the page still hears of it.

import { address, post } from "../shared/api.js";
import { button, fill, h, icon } from "../shared/dom.js";
import { announce, attempt, openSheet } from "../shared/sheets.js";
import { mayChange, now, watch } from "../shared/state.js";
import { onLost } from "../shared/stream.js";
import { say, sentence } from "../shared/words.js";

const STATES = {
  settled: ["status.watching", "eye"],
  hand: ["status.hand", "hand"],
  moved: ["status.moved", "move"],
  settling: ["status.settling", "eye"],
  searching: ["status.searching", "search"],
};

const MOODS = { settled: "calm", settling: "calm", hand: "busy" };

const HINDERED = {
  camera: { key: "status.no_camera", sign: "lost" },
  board: { key: "status.no_board", sign: "search" },
  covered: { key: "status.covered", sign: "hand" },
};

let isLost = false;

/** Return the words, the sign and how urgent the table's state is. */
function status({ game, table }) {
  if (isLost) return { key: "status.lost", sign: "lost", mood: "bad" };
  if (game.ended) return { key: "status.ended", sign: "flag", mood: "calm" };
  if (table.joining) return { key: "status.joining", sign: "search", mood: "heed" };
  if (table.rebuilding) return { key: table.hindrance ? HINDERED[table.hindrance.kind].key : "status.rebuilding", sign: "search", mood: "heed" };
  if (game.packed_away) return { key: "status.packed", sign: "pause", mood: "heed" };
  if (game.paused) return { key: "status.paused", sign: "pause", mood: "heed" };
  if (table.is_over) return { key: "status.over", sign: "lost", mood: "bad" };
  if (!table.has_camera) return { key: "status.camera_none", sign: "map", mood: "calm" };
  if (table.hindrance?.kind in HINDERED) return { ...HINDERED[table.hindrance.kind], mood: "bad" };
  const [key, sign] = STATES[table.state] ?? STATES.searching;
  return { key, sign, mood: MOODS[table.state] ?? "heed" };
}

/** Show the state on a button of the page that opens more of it. */
export function showStatus(place) {
  place.addEventListener("click", openStatus);
  const text = h("span", { class: "status-text" });
  const sign = h("span", { class: "status-sign" });
  place.append(sign, text);
  let said = "";
  const show = () => {
    const found = status(now());
    if (found.key === said) return;
    said = found.key;
    place.dataset.mood = found.mood;
    fill(sign, icon(found.sign));
    text.textContent = say(found.key);
  };
  watch((state) => [state.table, state.game], show);
  onLost((lost) => {
    isLost = lost;
    show();
  });
}

/** Show what needs somebody's help: a lost line, facts that cannot be written down, a table that sees nothing. */
export function showTrouble(place) {
  let lost = false;
  let said = "";
  const show = () => {
    const { trouble, hindrance } = now()?.table ?? {};
    const text = lost ? say("lost.text") : trouble ? say("trouble.text", { trouble }) : hindrance ? sentence(hindrance.said) : "";
    const way = lost || trouble || !hindrance || !mayChange() ? null : WAYS[hindrance.kind];
    const key = [text, hindrance?.kind, Boolean(way)].join();
    if (said === key) return;
    said = key;
    place.dataset.mood = !lost && !trouble && hindrance?.kind === "paused" ? "heed" : "bad";
    fill(place, text, way ? h("span", { class: "choices" }, way()) : null);
    place.hidden = !text;
  };
  watch((state, you) => [state.table.trouble, state.table.hindrance, you.role, you.is_host], show);
  onLost((next) => {
    if (lost && !next) announce(say("lost.back"));
    lost = next;
    show();
  });
}

function openStatus() {
  openSheet(say("status.title"), statusBody, { follow: (state) => [state.table, state.game] });
}

function statusBody() {
  const { table } = now();
  const camera = h("div", { class: "camera" });
  const look = () => fill(camera, h("img", { alt: say("status.camera_picture"), src: `${address("/camera.jpg")}?${Date.now()}` }));
  return [
    h("p", {}, say(status(now()).key)),
    h("p", { class: "soft" }, table.has_camera ? sentence(table.camera) : say("status.camera_none_text")),
    h("p", { class: "soft" }, sentence(table.board)),
    mayChange() ? [watchButtons(), !table.has_camera ? null : button("camera", say("status.show_camera"), look, { class: "wide" })] : null,
    camera,
  ];
}

/** Return the buttons for pausing and looking again. */
export function watchButtons() {
  const { paused, ended } = now().game;
  if (ended || now().table.rebuilding) return null;
  return h("div", { class: "choices" }, paused ? resumeButton() : pauseButton(), now().table.has_camera ? lookAgainButton() : null);
}

/** In a house that listens, as a club's hall does, players may call somebody to their table. */
export function callButton() {
  const isCalled = now().table.is_called;
  if (typeof isCalled !== "boolean" || !mayChange()) return null;
  const call = () => attempt(() => post("/call", { wanted: !isCalled }), say(isCalled ? "call.taken_back" : "call.done"));
  return button("call", [icon("hand"), say(isCalled ? "call.back" : "call.button")], call, { "aria-pressed": String(isCalled) });
}

function pauseButton() {
  return button("pause", [icon("pause"), say("status.pause")], () => attempt(() => post("/pause"), say("status.now_paused")));
}

function resumeButton() {
  return button("pause", [icon("play"), say("status.resume")], () => attempt(() => post("/resume"), say("status.resumed")));
}

function lookAgainButton() {
  return button("again", [icon("search"), say("status.look_again")], () => attempt(() => post("/look-again"), say("status.looking")));
}

/** What ends a hindrance; a camera that is gone comes back by itself. */
const WAYS = { board: lookAgainButton, covered: lookAgainButton, paused: resumeButton };
