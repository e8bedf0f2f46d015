// What stands beside the map: how far the board is, its places and routes, its tickets and sites.

import { button, h, settle } from "../shared/dom.js";
import { toast } from "../shared/sheets.js";
import { colourWord, list, modeWord, number, say, sayCount } from "../shared/words.js";
import { edit, placeName, propose, reload, save, take, theDraft, theRules } from "./draft.js";
import { choiceField, colourField, field, numberField, tableField } from "./forms.js";

const STEPS = { waiting: "boards.step_waiting", "finding spaces": "boards.step_spaces", "finding places": "boards.step_places", "stringing routes": "boards.step_routes" };

export function stateCard(chooseRoute) {
  const draft = theDraft();
  const doubted = draft.routes.filter((route) => !route.is_accepted && route.doubts.length);
  const guessed = draft.places.filter((place) => place.is_proposed);
  const sure = draft.routes.filter((route) => !route.is_accepted && !route.doubts.length);
  return h("section", { class: "card", "aria-labelledby": "state-title" },
    h("h2", { id: "state-title" }, say("boards.state")),
    draft.problem ? h("p", { class: "problem", role: "alert" }, problem(draft, chooseRoute)) : null,
    draft.work.problem ? h("p", { class: "problem", role: "alert" }, draft.work.problem) : null,
    draft.work.step ? h("p", { class: "hint", role: "status" }, say(STEPS[draft.work.step])) : search(draft),
    doubted.length ? h("p", {}, sayCount("boards.doubted", doubted.length), " ", button("next-doubt", say("boards.next_doubt"), () => chooseRoute(doubted[0].number))) : null,
    guessed.length ? h("p", {}, sayCount("boards.guessed", guessed.length), " ", button("accept-places", say("boards.accept_places"), () => edit("accept places")), " ", button("discard-places", say("boards.discard_places"), () => edit("discard places"), { class: "danger" })) : null,
    sure.length ? h("p", {}, sayCount("boards.sure", sure.length), " ", button("accept-certain", say("boards.accept_all"), () => edit("accept certain"))) : null,
    draft.notes.length ? h("details", { "data-key": "notes", open: true }, h("summary", {}, sayCount("boards.notes", draft.notes.length)), h("ul", {}, draft.notes.map((note) => h("li", {}, note)))) : null,
    h("p", { class: "soft", id: "saved" }, say(draft.is_saved ? "boards.saved" : "boards.unsaved", { id: draft.id })),
    h("div", { class: "buttons" }, button("save", say("boards.save"), keep, { class: "primary", disabled: Boolean(draft.problem) || draft.is_saved })));
}

/** Return what is wrong, with a way to the route that it names. */
function problem({ problem: text, problem_names: names, routes }, chooseRoute) {
  const places = new Set(names.flatMap((name) => name.split("--")));
  const route = routes.find((one) => places.has(one.a) && places.has(one.b));
  return [text, route ? button("to-fault", say("boards.show"), () => chooseRoute(route.number)) : null];
}

function search(draft) {
  const length = numberField("space-length", say("boards.space_length"), { min: 3, max: 100, step: "any", "data-draft": true });
  const wide = numberField("space-width", say("boards.space_width"), { min: 3, max: 100, step: "any", "data-draft": true });
  const size = () => (length.input.value && wide.input.value ? { length_mm: Number(length.input.value), width_mm: Number(wide.input.value) } : {});
  return [
    h("div", { class: "buttons" },
      button("propose-places", say("boards.propose_places"), () => propose({ ...size(), places: true })),
      button("propose", say("boards.propose"), () => propose(size()), { disabled: draft.places.length < 2 })),
    h("details", { "data-key": "space-size" }, h("summary", {}, say("boards.space_size")), h("p", { class: "soft" }, say("boards.space_size_text")), h("div", { class: "board-form" }, length.all, wide.all)),
  ];
}

async function keep() {
  const told = await save();
  if (!told) return;
  take({ ...theDraft(), is_saved: true });
  toast(say("boards.saved", { id: told.board.id }));
  await reload();
}

export function sitesCard() {
  const { sites } = theDraft();
  const area = tableField("sites-table", "take-sites", (text) => edit("sites", { table: text }), { rows: 6 }, sites);
  return h("details", { class: "card", "data-key": "sites" }, h("summary", {}, h("h2", {}, say("boards.sites"))),
    h("label", { for: "sites-table" }, say("boards.sites_text")), area);
}

/** The map's own tickets: typed or pasted, one in a line. */
export function ticketsCard() {
  const { tickets } = theDraft();
  const count = Math.max(0, tickets.trim().split("\n").length - 1);
  const area = tableField("tickets-table", "take-tickets", (text) => edit("tickets", { table: text }), { rows: 8 }, tickets);
  return h("details", { class: "card", "data-key": "tickets" }, h("summary", {}, h("h2", {}, say("boards.tickets", { n: number(count) }))),
    h("label", { for: "tickets-table" }, say("boards.tickets_text")), area);
}

export function boardCard({ corners, photo }) {
  const draft = theDraft();
  const title = field("board-title", say("boards.title"), { value: draft.title, maxlength: 80, on: { change: () => edit("board", { name: title.input.value }) } });
  const complete = h("input", { type: "checkbox", id: "board-complete", "data-key": "board-complete", checked: draft.is_complete, on: { change: () => edit("board", { is_complete: complete.checked }) } });
  const rules = choiceField("board-edition", say("boards.edition"), [["", "–"], ...draft.editions.map((one) => [one.id, one.title])], draft.edition ?? "", (edition) => edit("board", { edition }));
  return h("details", { class: "card", "data-key": "board" }, h("summary", {}, h("h2", {}, say("boards.board"))),
    h("div", { class: "board-form" }, title.all, rules.all, h("label", { class: "check" }, complete, say("boards.is_complete"))),
    h("p", { class: "soft" }, say("boards.play", { id: draft.id, edition: draft.edition ?? "usa", size: draft.size_mm.map(number).join(" × ") })),
    h("div", { class: "buttons" }, button("corners", say("boards.corners_again"), corners), button("photo", say("boards.photo_again"), photo)));
}

// Places: their list, the one that is chosen, and a table that is pasted.

export function placesCard(chosen, choose) {
  const { places, unplaced } = theDraft();
  const sorted = [...places].sort((one, other) => one.name.localeCompare(other.name));
  return h("details", { class: "card", "data-key": "places", open: chosen.place !== null || !places.length },
    h("summary", {}, h("h2", {}, say("boards.places", { n: number(places.length) }))),
    places.length ? null : h("p", { class: "soft" }, say("boards.no_places")),
    unplaced.length ? h("p", { class: "soft" }, say("boards.unplaced", { names: list(unplaced.map((place) => place.name)) })) : null,
    h("div", { class: "buttons" }, sorted.map((place) => button(`place-${place.id}`, place.name, () => choose({ place: place.id }), { "aria-pressed": String(place.id === chosen.place) }))),
    chosen.place === null ? null : placeForm(places.find((place) => place.id === chosen.place)),
    table());
}

function placeForm(place) {
  const about = { place: place.id };
  const move = () => edit("move place", { ...about, x_mm: Number(x.input.value), y_mm: Number(y.input.value) });
  const name = field("place-name", say("boards.place_name"), { value: place.name, maxlength: 80, on: { change: () => edit("name place", { ...about, name: name.input.value }) } });
  const at = (id, label, value) => numberField(id, label, { value: Math.round(value * 10) / 10, step: 0.5, min: 0, on: { change: move } });
  const x = at("place-x", say("boards.x"), place.xy_mm[0]);
  const y = at("place-y", say("boards.y"), place.xy_mm[1]);
  return h("div", { class: "board-form chosen", "data-of": place.id }, name.all, x.all, y.all, button("remove-place", say("boards.remove_place"), () => edit("remove place", about), { class: "danger" }));
}

function table() {
  const area = tableField("places-table", "take-places", (text) => edit("all places", { table: text }), { rows: 5, placeholder: "name,x_mm,y_mm" });
  return h("details", { "data-key": "places-paste" }, h("summary", {}, say("boards.paste_places")),
    h("label", { for: "places-table" }, say("boards.paste_places_text")), area);
}

// Routes: their list, the doubtful ones first; the one that is chosen; and one by hand.

const nameOf = (route) => say("boards.route", { a: placeName(route.a), b: placeName(route.b), length: number(route.spaces.length), colour: colourWord(route.colour) });
const places = () => theDraft().places.map((place) => [place.id, place.name]).sort((one, other) => one[1].localeCompare(other[1]));

/** Return what can be said of the chosen route. */
export function routeCard(chosen, { choose, tool, use }) {
  const route = theDraft().routes.find((one) => one.number === chosen.route);
  const about = { route: route.number };
  const ends = (a, b) => edit("ends", { ...about, place: a, other_place: b });
  const from = choiceField("route-a", say("boards.from"), places(), route.a, (value) => ends(value, route.b));
  const to = choiceField("route-b", say("boards.to"), places(), route.b, (value) => ends(route.a, value));
  const colour = colourField("route-colour", say("boards.colour"), route.colour, (value) => edit("colour", { ...about, colour: value }));
  const length = numberField("route-length", say("boards.length"), { min: 1, max: 20, value: route.spaces.length, on: { change: () => edit("length", { ...about, length: Number(length.input.value) }) } });
  return h("section", { class: "card chosen", "data-of": route.number, "aria-labelledby": "chosen-title" },
    h("h2", { id: "chosen-title" }, nameOf(route)),
    route.doubts.length ? h("ul", { class: "doubts" }, route.doubts.map((doubt) => h("li", {}, doubt))) : null,
    h("div", { class: "buttons" },
      button("accept", say("boards.accept"), () => edit("accept", about), { class: "primary", disabled: route.is_accepted }),
      button("reject", say("boards.reject"), () => edit("reject", about), { class: "danger" })),
    h("div", { class: "board-form" }, from.all, to.all, colour.all, length.all, doubleField(route)),
    traits(route),
    spaces(route, chosen, choose),
    h("div", { class: "buttons" },
      button("add-space", say("boards.add_space"), () => use("space"), { "aria-pressed": String(tool === "space"), class: "tool" }),
      button("unchoose", say("boards.done"), () => choose({}))));
}

function doubleField(route) {
  const isOther = (one) => one.number !== route.number && [one.a, one.b].sort().join() !== [route.a, route.b].sort().join();
  const others = theDraft().routes.filter(isOther).map((one) => [String(one.number), nameOf(one)]);
  const beside = choiceField("route-double", say("boards.double"), [["", "–"], ...others], "", (value) => value && edit("double", { route: Number(value), other_route: route.number }));
  return beside.all;
}

function traits(route) {
  const now = route.traits ?? { tunnel: false, ferry_locomotives: 0, mode: null };
  const change = (more) => {
    const { tunnel, ferry_locomotives, mode } = { ...now, ...more };
    return edit("traits", { route: route.number, tunnel, ferry_locomotives, mode });
  };
  const letter = (one) => button(`mode-${one}`, one, () => change({ mode: now.mode === one ? null : one }), { "aria-pressed": String(now.mode === one), title: modeWord(one), "aria-label": say("boards.of_mode", { mode: modeWord(one) }) });
  if (theRules().modes.length) return h("div", { class: "buttons spaces", role: "group", "aria-label": say("boards.mode") }, theRules().modes.map(letter));
  const tunnel = h("input", { type: "checkbox", id: "route-tunnel", "data-key": "route-tunnel", checked: now.tunnel, on: { change: () => change({ tunnel: tunnel.checked }) } });
  const ferry = numberField("route-ferry", say("boards.ferry"), { min: 0, max: 19, value: now.ferry_locomotives, on: { change: () => change({ ferry_locomotives: Number(ferry.input.value) }) } });
  const mode = h("input", { id: "route-mode", "data-key": "route-mode", maxlength: 3, value: now.mode ?? "", on: { change: () => change({ mode: mode.value.trim() || null }) } });
  return h("details", { "data-key": "traits" }, h("summary", {}, say("boards.traits")),
    h("div", { class: "board-form" }, h("label", { class: "check" }, tunnel, say("boards.tunnel")), ferry.all, h("div", { class: "field" }, h("label", { for: "route-mode" }, say("boards.mode")), mode)));
}

function spaces(route, chosen, choose) {
  const row = h("div", { class: "buttons spaces" }, route.spaces.map((_, i) => button(`space-${i}`, number(i + 1), () => choose({ route: route.number, space: i }), { "aria-pressed": String(chosen.space === i), "aria-label": say("boards.space", { n: number(i + 1) }) })));
  const all = [h("h3", {}, say("boards.spaces")), row];
  const space = route.spaces[chosen.space];
  if (!space) return all;
  const about = { route: route.number, space: chosen.space };
  const move = () => edit("move space", { ...about, x_mm: Number(x.input.value), y_mm: Number(y.input.value), angle_deg: Number(angle.input.value) });
  const at = (id, label, value, step) => numberField(id, label, { value: Math.round(value * 10) / 10, step, on: { change: move } });
  const x = at("space-x", say("boards.x"), space.xy_mm[0], 0.5);
  const y = at("space-y", say("boards.y"), space.xy_mm[1], 0.5);
  const angle = at("space-angle", say("boards.angle"), space.angle_deg, 1);
  return [...all, h("div", { class: "board-form", "data-of": `${route.number}/${chosen.space}` }, x.all, y.all, angle.all, button("remove-space", say("boards.remove_space"), () => edit("remove space", about), { class: "danger" }))];
}

/** Return the list of all routes, those to look at first, and the form for one by hand. */
export function routesCard(chosen, choose) {
  const all = [...theDraft().routes].sort((one, other) => rank(one) - rank(other) || nameOf(one).localeCompare(nameOf(other)));
  const names = places();
  const from = choiceField("hand-a", say("boards.from"), names, names[0]?.[0]);
  const to = choiceField("hand-b", say("boards.to"), names, names[1]?.[0]);
  const colour = colourField("hand-colour", say("boards.colour"), "grey");
  const length = numberField("hand-length", say("boards.length"), { min: 1, max: 20, value: 2, "data-draft": true });
  const add = async () => {
    const sent = [from, to, colour, length].map(({ input }) => [input.id, input.value]);
    const done = await edit("add route", { place: from.input.value, other_place: to.input.value, colour: colour.input.value, length: Number(length.input.value) });
    if (!done) return;
    for (const [id, value] of sent) settle(document.getElementById(id), value);
    choose({ route: theDraft().routes.at(-1).number });
  };
  return h("details", { class: "card", "data-key": "routes" }, h("summary", {}, h("h2", {}, say("boards.routes", { n: number(all.length) }))),
    h("ul", { class: "plain route-list" }, all.map((route) => h("li", {}, button(`route-${route.number}`, [route.is_accepted ? "✓ " : route.doubts.length ? "? " : "", nameOf(route)], () => choose({ route: route.number }), { "aria-pressed": String(route.number === chosen.route), class: "route-row" })))),
    names.length < 2 ? null : [h("h3", {}, say("boards.by_hand")), h("div", { class: "board-form" }, from.all, to.all, colour.all, length.all, button("add-route", say("boards.add_route"), add))]);
}

const rank = (route) => (route.is_accepted ? 2 : route.doubts.length ? 0 : 1);
