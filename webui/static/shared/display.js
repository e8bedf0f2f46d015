// The display beside the board, for the host: how it is, what it shows now, which one it is to be, a test.

import { get, patch, post } from "./api.js";
import { button, car, fill, fillAnew, h, icon, setText } from "./dom.js";
import { paintOf } from "./paint.js";
import { attempt, openSheet } from "./sheets.js";
import { now, watch } from "./state.js";
import { colourWord, list, number, say } from "./words.js";

const LOOK_MS = 2000;
const TESTING_MS = 400;
const NONE = "virtual";
const AUTO = "auto";
const STATES = { none: "display.none", searching: "display.searching", busy: "display.busy", connected: "display.connected" };
const PALETTES = { plain: "display.plain", "red-green": "display.red_green", "blue-yellow": "display.blue_yellow", lightness: "display.lightness" };

/** Show the display as long as its sheet is open; nobody asks for it otherwise. */
export function openDisplay() {
  const parts = makeParts((change) => tell(() => patch("/display", change)), () => tell(() => post("/display/test"), say("display.tested")));
  let timer = null;
  let isOpen = true;
  let asked = 0;
  const show = (view) => {
    if (isOpen) showView(parts, view);
    clearTimeout(timer);
    if (isOpen) timer = setTimeout(look, view.is_testing ? TESTING_MS : LOOK_MS);
  };
  const tell = async (act, done = say("display.changed")) => {
    const view = await attempt(() => (asked++, act()), done);
    if (view) show(view);
    else look();
  };
  async function look() {
    clearTimeout(timer);
    const mine = ++asked;
    try {
      const view = document.hidden ? null : await get("/display");
      if (view && mine === asked) return show(view);
    } catch (error) {
      if (mine === asked) fill(parts.state, error.message);
    }
    if (isOpen && mine === asked) timer = setTimeout(look, LOOK_MS);
  }
  openSheet(say("display.title"), () => parts.all, { onClose: () => (stop(), (isOpen = false), clearTimeout(timer)) });
  const stop = watch((state) => [state.players, state.table.state], look);
  if (!now()) look(); // no game runs yet whose changes could be waited for
}

function makeParts(change, test) {
  const state = h("p", { role: "status" });
  const about = h("p", { class: "soft" });
  const shown = h("div", { class: "display-shown", role: "img" });
  const tryIt = button("display-test", [icon("play"), say("display.test")], test, { class: "wide" });
  const which = h("select", { id: "display-which", "data-key": "display-which", on: { change: () => change({ display: which.value }) } });
  const address = h("input", { type: "url", id: "display-address", placeholder: "http://192.168.1.7", autocomplete: "off", required: true });
  const typed = h("form", { class: "stack" }, h("label", { for: "display-address" }, say("display.address")), address, h("button", { type: "submit", "data-key": "display-use" }, say("display.use")));
  typed.addEventListener("submit", (event) => (event.preventDefault(), change({ display: address.value.trim() })));
  const brightness = h("input", { type: "range", id: "display-brightness", min: 0, max: 100, step: 5, "data-key": "display-brightness", on: { change: () => change({ brightness: Number(brightness.value) / 100 }) } });
  const palette = h("select", { id: "display-palette", "data-key": "display-palette", on: { change: () => change({ palette: palette.value }) } });
  const all = [
    state, about, shown, tryIt,
    h("div", { class: "stack" }, h("label", { for: "display-which" }, say("display.which")), which, h("p", { class: "soft" }, say("display.hint"))),
    typed,
    h("div", { class: "stack" }, h("label", { for: "display-brightness" }, say("display.brightness")), brightness),
    h("div", { class: "stack" }, h("label", { for: "display-palette" }, say("display.palette")), palette),
  ];
  return { state, about, shown, tryIt, which, brightness, palette, all };
}

function showView(parts, view) {
  setText(parts.state, say(view.is_testing ? "display.testing" : STATES[view.state]));
  setText(parts.about, view.state === "none" ? "" : view.about);
  draw(parts.shown, view.players);
  parts.tryIt.disabled = view.is_testing;
  const ports = view.ports.map(({ port, about }) => [port, about ? say("display.port", { port, about }) : port]);
  const known = [[NONE, say("display.only_drawn")], [AUTO, say("display.auto")], ...ports];
  if (!known.some(([name]) => name === view.display)) known.push([view.display, view.display]);
  choose(parts.which, known, view.display);
  choose(parts.palette, view.palettes.map((name) => [name, name in PALETTES ? say(PALETTES[name]) : name]), view.palette);
  if (document.activeElement !== parts.brightness) parts.brightness.value = Math.round(100 * view.brightness);
}

/** Offer names in a list; one that is open under a finger stays as it is. */
function choose(select, options, chosen) {
  fillAnew(select, options, () => options.map(([value, text]) => h("option", { value }, text)));
  select.value = chosen;
}

/** Draw each player's lights and digits. */
function draw(place, players) {
  place.hidden = !players.length;
  const points = players.map(({ colour, score }) => say("display.player", { colour: colourWord(colour), points: number(score) }));
  place.setAttribute("aria-label", say("display.shown", { players: list(points) }));
  fill(place, players.map((player) => h("div", { class: "display-player" }, car(paintOf(player.colour)), h("span", { class: "digits" }, player.digits), leds(player.colours))));
}

function leds(colours) {
  const strip = h("span", { class: "leds" }, colours.map(() => h("i", {})));
  colours.forEach((colour, i) => (strip.children[i].style.background = colour));
  return strip;
}
