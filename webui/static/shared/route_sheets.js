// A route, station or site: who holds it, since when, what proves it; two taps put it right.

import { address, post } from "./api.js";
import { addition, button, car, fill, h, pictureIfThere } from "./dom.js";
import { isLane, nameOf, pinText, placeName, routeName, saidPinText, sizeText, spotName, spotParts, who } from "./names.js";
import { paintOf } from "./paint.js";
import { matching } from "./search.js";
import { attempt, openSheet } from "./sheets.js";
import { mayChange, now, standing, theBoard, watch } from "./state.js";
import { clock, colourWord, say } from "./words.js";

/** Open the sheet of a spot, `KIND:ID`; it follows what happens while it is open. */
export function openSpot(spot) {
  openSheet(spotName(spot), (sheet) => body(spot, sheet), { name: "spot-sheet", follow: (state) => [state.spots[spot], state.players, state.questions] });
}

function body(spot, sheet) {
  const held = now().spots[spot];
  const pin = held?.colour ? pinText(spot, held.colour) : "";
  return [
    about(spot),
    h("div", { class: "holder" }, held?.colour ? car(paintOf(held.colour)) : null, h("div", {}, h("p", { class: "holder-name" }, held?.colour ? who(held.colour) : say("spot.free")), h("p", { class: "soft" }, since(held)), pin ? h("p", { class: "soft" }, pin) : null)),
    addition("spot", spot, sheet),
    proof(held),
    addition("spot_seen", spot, held),
    now().game.is_past ? null : mayChange() ? choices(spot, held, () => sheet.close()) : h("p", { class: "soft" }, say("spot.guest")),
  ];
}

function about(spot) {
  const [kind, id] = spotParts(spot);
  if (kind !== "route") return null;
  const route = theBoard().route[id];
  if (!route) return null;
  return h("p", { class: "soft" }, sizeText(route, isLane(route) ? "route.lane_length" : "route.length"));
}

function since(held) {
  if (!held) return say("spot.never");
  const at = clock(held.at_s);
  if (held.by === "person") return say("spot.by_person", { at });
  return say("spot.by_camera", { at, sure: Math.round(held.sure * 100) });
}

function proof(held) {
  if (!held?.event || held.by === "person") return null;
  return pictureIfThere({ class: "proof", alt: say("spot.proof"), src: address(`/log/${held.event}/crop.jpg`) });
}

/** Return what may stand there, likeliest first: what was asked about, free, then everyone in turn order. */
function likely(spot, held) {
  const [kind, id] = spotParts(spot);
  const asked = now().questions.find((one) => one.kind === kind && one.about === id)?.choices ?? [];
  const free = held?.colour ? [null] : [];
  const turn = now().players.find((player) => player.seat === now().game.likely_turn)?.colour;
  const all = now().players.map((player) => player.colour);
  return [...new Set([...asked, ...free, ...(turn && !held?.colour ? [turn] : []), ...all, null])];
}

function choices(spot, held, done) {
  const colour = held?.colour ?? null;
  return h("fieldset", { class: "correct" },
    h("legend", {}, held?.colour ? say("spot.correct") : say("spot.whose")),
    h("div", { class: "choices" }, likely(spot, held).map((choice) => choiceButton(choice, choice === colour, () => (done(), correct(spot, colour, choice))))));
}

/** Return a button that stands for a player, or for free. */
export function choiceButton(colour, isCurrent, act, free = say("spot.free")) {
  const player = now().players.find((one) => one.colour === colour);
  return button(`choice-${colour}`, [
    colour ? car(paintOf(colour)) : h("span", { class: "no-car", "aria-hidden": "true" }),
    h("span", {}, colour === null ? free : player ? nameOf(player) : colourWord(colour)),
  ], act, { class: "choice", "aria-pressed": isCurrent === null ? null : String(isCurrent) });
}

async function correct(spot, was, next) {
  const [kind, about] = spotParts(spot);
  if ((standing(spot) ?? null) === next) return;
  const done = next === null ? say("spot.now_free", { spot: spotName(spot) }) : say("spot.now", { spot: spotName(spot), who: who(next) });
  const offer = now().spots[spot]?.by === "camera" ? misreadOffer(kind, about) : null;
  await attempt(() => post("/corrections", { kind, about, was, now: next }), done, null, saidPinText(spot, next), offer);
}

/** Return what is offered where the camera was wrong: a report of it, which stays on the computer. */
export function misreadOffer(kind, about, question = "") {
  return { text: say("report.short"), act: () => attempt(() => post("/reports", { kind, about, question }), say("report.done")) };
}

// All routes as a list, to find one by name or with the keyboard.

/** Open the list; a route's own sheet opens over it. */
export function openRoutes() {
  const list = h("ul", { class: "plain results" });
  const input = h("input", { type: "search", id: "route-search", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const spots = allSpots();
  const show = () => {
    const found = matching(spots, input.value, ({ name, names }) => [name, ...names]);
    fill(list, found.map(({ spot, name }) => row(spot, name)), found.length ? null : h("li", { class: "soft" }, say("routes.none")));
  };
  input.addEventListener("input", show);
  openSheet(say("routes.title"), () => [h("label", { for: "route-search" }, say("routes.search")), input, list], { name: "tall", onClose: () => stop() });
  const stop = watch((state) => [state.spots, state.players], show);
  show();
}

function allSpots() {
  const board = theBoard();
  const spots = board.routes.map((route) => ({ spot: `route:${route.id}`, name: routeName(route.id), names: [placeName(route.a), placeName(route.b)] }));
  if (now().game.has_stations) spots.push(...board.places.map((place) => ({ spot: `station:${place.id}`, name: spotName(`station:${place.id}`), names: [] })));
  spots.push(...board.sites.map((site) => ({ spot: `site:${site.id}`, name: spotName(`site:${site.id}`), names: [] })));
  return spots.sort((a, b) => a.name.localeCompare(b.name));
}

function row(spot, name) {
  const colour = now().spots[spot]?.colour ?? null;
  return h("li", {}, button(spot, [
    colour ? car(paintOf(colour)) : h("span", { class: "no-car", "aria-hidden": "true" }), h("span", {}, name), h("span", { class: "soft" }, who(colour)),
  ], () => openSpot(spot), { class: "result" }));
}
