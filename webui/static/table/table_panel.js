// The table itself: who is in, how others come in, this phone's own switches, pause, export, the end.

import { address, get, post, remove } from "../shared/api.js";
import { addition, button, car, codePicture, fill, h, icon } from "../shared/dom.js";
import { lettingIn } from "../shared/letting_in.js";
import { nameOf } from "../shared/names.js";
import { COLOURS, paintOf } from "../shared/paint.js";
import { canStayAwake, languageChoice } from "../shared/phone.js";
import { openRoutes } from "../shared/route_sheets.js";
import { tellOfHttps } from "../shared/secure.js";
import { attempt, confirmSheet, openSheet } from "../shared/sheets.js";
import { me, mine, now, watch } from "../shared/state.js";
import { askWhoIAm, onLost } from "../shared/stream.js";
import { colourWord, say, withWords } from "../shared/words.js";
import { openLog } from "./log.js";
import { openSeats } from "./people.js";
import { openPlayer } from "./players.js";
import { play, setting } from "./sounds.js";
import { callButton, watchButtons } from "./status.js";
import { lostSeat } from "./tickets.js";

let codes = null;
let asked = 0;

let showAgain = () => {};

/** Show the table's own part of the page. */
export function showTable(place) {
  showAgain = () => draw(place);
  tellOfHttps(secure);
  addEventListener("added", showAgain);
  watch((state, you) => [state.players, state.game, you, state.cards, state.table.is_called], showAgain);
  // Whom the host sends away has to scan a new code, and a program that was started anew has another one.
  watch((state, you) => [you.is_host, state.players.filter((player) => player.is_paired).map((player) => player.seat).join()], askForCodes);
  onLost((isLost) => isLost || askForCodes());
}

function draw(place) {
  fill(place, h("h2", { class: "panel-title" }, now().game.name || say("table.title")), h("p", { class: "soft" }, now().game.title), seatCard(), me().is_host ? joinCard() : null, me().is_host && codes?.camera ? cameraCard() : null, peopleCard(), addition("table"), watchCard(), me().is_host ? displayCard() : null, phoneCard(), filesCard(), me().is_host && !now().game.ended ? endButton() : null, helpLink());
}

function seatCard() {
  const player = mine();
  return h("section", { class: "card" },
    player
      ? [h("div", { class: "holder" }, car(paintOf(player.colour)), h("p", { class: "holder-name" }, say("seat.yours", { name: nameOf(player) }))),
          h("div", { class: "choices" }, button("my-name", say("seat.edit"), () => openPlayer(player.seat)), button("leave-seat", say("seat.leave"), leaveSeat))]
      : [h("h3", {}, say("seat.none")), lostSeat(), h("p", { class: "soft" }, say(me().is_host ? "seat.how_host" : "seat.how")), button("choose-seat", say("seat.choose"), openSeats, { class: "wide" })]);
}

async function askForCodes() {
  if (!me().is_host) return;
  const time = ++asked;
  const answer = await get("/codes").catch(() => null);
  if (!answer || time !== asked) return;
  know(answer);
  showAgain();
}

function know(answer) {
  codes = { ...answer, picture: codePicture(answer.join.svg, say("join.code")) };
}

/** No phone can open a page that is served to its own computer alone: then there is no code to scan. */
function joinCard() {
  if (!codes?.join) return null;
  const thisTable = button("this-table", say("home.table"), showThisTable, { class: "wide" });
  if (codes.is_local) return h("section", { class: "card join" }, h("h3", {}, say("join.title")), lettingIn(codes, codes.join.url, (answer) => (know(answer), showAgain())), thisTable);
  return h("section", { class: "card join" }, h("h3", {}, say("join.title")), h("p", {}, say("join.text")),
    codes.picture,
    h("p", { class: "link" }, codes.join.url),
    thisTable);
}

async function showThisTable() {
  const { openThisTable } = await withWords("this_table", import("../shared/this_table.js"));
  openThisTable([], askForCodes);
}

/** Let a phone that is no host's become one: by a host's word, or by the PIN. */
async function becomeHost() {
  const [{ becomingHost }, how] = await Promise.all([withWords("hosts", import("../shared/becoming_host.js")), attempt(() => get("/host"))]);
  if (how) openSheet(say("home.table"), (sheet) => becomingHost(how, () => (sheet.close(), attempt(askWhoIAm))));
}

function peopleCard() {
  return h("section", { class: "card" }, h("h3", {}, say("people.title")),
    h("ul", { class: "plain" }, now().players.map((player) => h("li", {},
      button(`person-${player.seat}`, [car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: "soft" }, player.has_left ? say("people.left") : addition("person", player) ?? (player.is_paired ? say("people.phone") : say("people.no_phone")))], () => openPlayer(player.seat), { class: "result" })))),
    me().is_host && !now().game.ended ? button("add-player", [icon("plus"), say("people.add")], openNewPlayer, { class: "wide" }) : null);
}

function openNewPlayer() {
  const taken = new Set(now().players.filter((player) => !player.has_left).map((player) => player.colour));
  const name = h("input", { type: "text", id: "new-name", maxlength: 40, required: true, autocomplete: "off" });
  const colour = h("select", { id: "new-colour" }, COLOURS.filter((one) => !taken.has(one)).map((one) => h("option", { value: one }, colourWord(one))));
  const more = addition("new_player"); // who plays there, a person or a computer
  const form = h("form", { class: "stack" }, h("label", { for: "new-name" }, say("player.name")), name, h("label", { for: "new-colour" }, say("people.colour")), colour, more?.parts, h("button", { type: "submit", class: "primary" }, say("people.add")));
  const sheet = openSheet(say("people.add"), () => form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sheet.close();
    attempt(() => post("/players", { name: name.value.trim(), colour: colour.value, ...more?.chosen() }), say("people.added", { name: name.value.trim() }));
  });
}

function watchCard() {
  const buttons = me().role === "guest" && !me().is_host ? null : watchButtons();
  return h("section", { class: "card" }, h("h3", {}, say("table.board")), buttons,
    h("div", { class: "choices" },
      button("routes", [icon("map"), say("routes.title")], openRoutes),
      button("log", [icon("clock"), say("log.title")], openLog),
      callButton(),
      button("charts", [icon("score"), say("table.charts")], showCharts),
      me().is_host ? button("reports", [icon("eye"), say("report.title")], showReports) : null,
      me().is_host ? button("screens", [icon("whole"), say("table.screens")], showScreens) : null,
      me().is_host && !now().game.ended && !now().game.packed_away ? button("pack-away", [icon("pause"), say("pack.button")], packAway) : null,
      me().is_host && now().table.has_camera ? h("a", { class: "button", href: "/calibration", "data-key": "calibration" }, icon("search"), say("table.calibration")) : null));
}

function packAway() {
  confirmSheet(say("pack.title"), say(now().table.has_camera ? "pack.text" : "pack.text_camera_none"), say("pack.yes"), () => attempt(() => post("/pack-away"), say("pack.done")));
}

function displayCard() {
  return h("section", { class: "card" }, h("h3", {}, say("display.title")), h("p", { class: "soft" }, say("display.text")),
    button("display", [icon("eye"), say("display.open")], showDisplay, { class: "wide" }));
}

// Few tables have a display or a television, few people look at charts: their sheets are fetched when somebody wants them.

async function showDisplay() {
  const { openDisplay } = await withWords("display", import("../shared/display.js"));
  openDisplay();
}

async function showScreens() {
  const { openScreens } = await import("./screens_sheet.js");
  openScreens();
}

async function showReports() {
  const { openReports } = await withWords("film", import("./reports_sheet.js"));
  openReports();
}

async function showCharts() {
  const { openCharts } = await import("./charts_sheet.js");
  openCharts();
}

/** What https would allow; filled once, and kept when the card is drawn anew. */
const secure = h("div", {});

function phoneCard() {
  const sounds = setting("sounds");
  const box = h("input", { type: "checkbox", role: "switch", id: "sounds", "data-key": "sounds", on: { change: (event) => (sounds.set(event.target.checked), play("claim")) } });
  box.checked = sounds.get();
  return h("section", { class: "card" }, h("h3", {}, say("phone.title")),
    h("label", { class: "switch", for: "sounds" }, h("span", {}, say("phone.sounds")), box),
    "speechSynthesis" in window ? button("voice", say("phone.voice"), showVoice, { class: "wide", "aria-haspopup": "dialog" }) : null,
    me().is_host || !me().has_joined ? null : button("become-host", say("hosts.ask"), becomeHost, { class: "wide", "aria-haspopup": "dialog" }),
    languageChoice(),
    h("p", { class: "soft" }, canStayAwake() ? say("phone.awake") : say("phone.sleeps")), secure);
}

async function showVoice() {
  const { openVoice } = await import("../voice/choice.js");
  attempt(openVoice);
}

function filesCard() {
  const file = (kind, key) => h("a", { class: "button", href: address(`/export/${kind}`), download: "", "data-key": `export-${kind}` }, say(key));
  return h("section", { class: "card" }, h("h3", {}, say("files.title")), h("div", { class: "choices" }, file("jsonl", "files.json"), file("csv", "files.csv"), file("game", "files.game")));
}

function endButton() {
  const leave = () => confirmSheet(say("home.leave_title"), say("home.leave_text"), say("home.leave"), () => attempt(() => post("/table/home")));
  const end = () => confirmSheet(say("end.title"), say("end.text"), say("end.yes"), () => attempt(() => post("/end"), say("end.done")));
  return [button("leave", say("home.leave"), leave, { class: "wide" }), button("end", [icon("flag"), say("end.button")], end, { class: "wide danger" })];
}

function helpLink() {
  return h("p", { class: "links" }, h("a", { class: "help-link", href: "/history", "data-key": "history" }, say("history.link")), h("a", { class: "help-link", href: "/photo" }, say("table.photo")), h("a", { class: "help-link", href: "/card-game" }, say("table.card_game")), h("a", { class: "help-link", href: "/help" }, say("help.link")));
}

function leaveSeat() {
  confirmSheet(say("seat.leave_title"), say("seat.leave_text"), say("seat.leave"), async () => {
    if (await attempt(() => remove(`/seat/${me().seat}`), say("seat.left"))) await askWhoIAm();
  });
}

// The code that lets a phone be the camera, where the table watches through one.

/** Return the card with the button that shows it. */
function cameraCard() {
  return h("section", { class: "card" }, h("h3", {}, say("camera_code.title")), h("p", {}, say("camera_code.text")),
    button("camera-code", say("camera_code.show"), openCameraCode, { class: "wide" }));
}

/** It works once, so it is asked for anew each time. */
async function openCameraCode() {
  const codes = await attempt(() => get("/codes"));
  if (!codes?.camera) return;
  if (codes.is_local) return void openSheet(say("camera_code.title"), (sheet) => lettingIn(codes, codes.camera.url, () => (sheet.close(), openCameraCode())));
  openSheet(say("camera_code.title"), () => [
    h("p", {}, say("camera_code.once")),
    codePicture(codes.camera.svg, say("camera_code.code")),
    h("p", { class: "link" }, codes.camera.url),
  ]);
}
