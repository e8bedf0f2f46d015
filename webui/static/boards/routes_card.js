// Routes: their list, the doubtful ones first; the one that is chosen; and one by hand.

import { h, settle } from "../shared/dom.js";
import { said } from "../shared/said.js";
import { colourWord, number, say } from "../shared/words.js";
import { edit, placeName, theDraft } from "./draft.js";
import { button, choiceField, colourField, numberField } from "./fields.js";

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
    route.doubts.length ? h("ul", { class: "doubts" }, route.doubts.map((doubt) => h("li", {}, said(doubt)))) : null,
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
