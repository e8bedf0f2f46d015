// Making a board from a picture: the picture, where the board is in it, then places and routes.

import { address, put, sendFile } from "../shared/api.js";
import { cornerRings } from "../shared/corner_rings.js";
import { button, fill, h, keepPresses } from "../shared/dom.js";
import { comeInByLink } from "../shared/hosts.js";
import { openSheet, toast } from "../shared/sheets.js";
import { say } from "../shared/words.js";
import { edit, load, onDraft, path, redo, take, theDraft, theRules, undo, watchWork } from "./draft.js";
import { attempt, choiceField, colourField, field } from "./forms.js";
import { makeMap } from "./map.js";
import { boardCard, placesCard, routeCard, routesCard, sitesCard, stateCard, ticketsCard } from "./panel.js";

const view = document.getElementById("view");
const nothing = { route: null, space: null, place: null };
let chosen = nothing;
let tool = null; // what the next tap on the map does: "place", "site", or "space" of the chosen route
const HINTS = { place: "boards.tap_place", site: "boards.tap_site", space: "boards.tap_space" };
let map = null;
const panel = h("div", { class: "making-panel" });
keepPresses(panel);

start();

async function start() {
  await comeInByLink();
  try {
    await load();
  } catch (error) {
    const isGuest = error.status === 401 || error.status === 403;
    fill(view, h("p", { class: "problem" }, isGuest ? say("boards.host_only") : error.message));
  }
  if (theDraft()) show();
  document.body.dataset.ready = "yes";
}

function show() {
  const draft = theDraft();
  document.getElementById("title").textContent = draft.title;
  onDraft(() => {});
  if (!draft.photo_px[0]) return askForPhoto();
  if (!draft.corners_px.length) return showCorners(view, show);
  map = makeMap({ onTap: tapped, onMove: moved });
  fill(view, h("div", { class: "making-halves" }, h("div", { class: "making-board" }, map.all), panel));
  onDraft(drawn);
  drawn();
  if (draft.work.step) watchWork();
  return null;
}

function askForPhoto() {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const input = h("input", { type: "file", id: "photo-file", accept: "image/*", on: { change: async () => {
    problem.hidden = true;
    try {
      take(await sendFile("PUT", path("/photo"), input.files[0]));
      show();
    } catch (error) {
      if (error.status === undefined) throw error;
      problem.textContent = error.message;
      problem.hidden = false;
    }
    input.value = "";
  } } });
  const back = theDraft().photo_px[0] ? button("photo-back", say("boards.back"), show) : null;
  fill(view, h("section", { class: "card" }, h("h2", {}, h("label", { for: "photo-file" }, say("boards.photo"))), h("p", { class: "soft" }, say("boards.photo_text")), input, problem, back));
}

function drawn() {
  const draft = theDraft();
  document.getElementById("title").textContent = draft.title;
  if (!draft.routes.some((route) => route.number === chosen.route)) chosen = { ...chosen, route: null, space: null };
  if (!draft.places.some((place) => place.id === chosen.place)) chosen = { ...chosen, place: null };
  if (chosen.route === null && tool === "space") tool = null;
  map.draw(chosen);
  fill(panel,
    h("div", { class: "buttons steps" },
      button("undo", say("boards.undo"), undo, { disabled: !draft.can_undo }),
      button("redo", say("boards.redo"), redo, { disabled: !draft.can_redo }),
      button("tool-place", say("boards.add_places"), () => use("place"), { "aria-pressed": String(tool === "place"), class: "tool" }),
      theRules().has_sites ? button("tool-site", say("boards.add_sites"), () => use("site"), { "aria-pressed": String(tool === "site"), class: "tool" }) : null),
    tool ? h("p", { class: "hint", role: "status" }, say(HINTS[tool])) : null,
    chosen.route === null ? null : routeCard(chosen, { choose, tool, use }),
    stateCard(chooseRoute),
    placesCard(chosen, choose),
    routesCard(chosen, choose),
    ticketsCard(),
    sitesCard(),
    boardCard({ corners: () => (onDraft(() => {}), showCorners(view, show)), photo: askForPhoto }));
}

function choose(next) {
  chosen = { ...nothing, ...next };
  drawn();
}

function chooseRoute(number) {
  choose({ route: number });
  const route = theDraft().routes.find((one) => one.number === number);
  map.zoom.show(route.spaces.map((space) => space.xy_mm));
}

function use(next) {
  tool = tool === next ? null : next;
  drawn();
}

async function tapped({ route, space, place, x, y }) {
  if (tool === "place" && !place) return nameSheet(x, y);
  if (tool === "site") return siteSheet(x, y);
  if (tool === "space") return addSpace(x, y);
  if (place) return choose({ place });
  return choose(route === null ? {} : { route, space });
}

/** Move what was dragged by so much. */
function moved({ route, space, place }, dx, dy) {
  const draft = theDraft();
  const spot = place ? draft.places.find((one) => one.id === place) : draft.routes.find((one) => one.number === route)?.spaces[space];
  if (!spot) return null; // an edit before took it away
  const [x, y] = spot.xy_mm;
  if (place) return edit("move place", { place, ...within(x + dx, y + dy) });
  return edit("move space", { route, space, ...within(x + dx, y + dy) });
}

function within(x, y) {
  const [width, height] = theDraft().size_mm;
  return { x_mm: Math.min(width, Math.max(0, x)), y_mm: Math.min(height, Math.max(0, y)) };
}

/** Add a space where it was tapped: between the two others that it is nearest to. */
function addSpace(x, y) {
  const route = theDraft().routes.find((one) => one.number === chosen.route);
  const far = (space) => Math.hypot(space.xy_mm[0] - x, space.xy_mm[1] - y);
  const near = route.spaces.reduce((best, space, i) => (far(space) < far(route.spaces[best]) ? i : best), 0);
  const { xy_mm: [u, v], angle_deg } = route.spaces[near];
  const turn = (angle_deg * Math.PI) / 180;
  const isAhead = (x - u) * Math.cos(turn) + (y - v) * Math.sin(turn) > 0;
  return edit("add space", { route: route.number, space: isAhead ? (near + 1 < route.spaces.length ? near + 1 : undefined) : near, angle_deg, ...within(x, y) });
}

function nameSheet(x, y) {
  const at = within(x, y);
  openSheet(say("boards.which_place"), (sheet) => {
    const name = field("place-name-new", say("boards.place_name"), { maxlength: 80, required: true, autocomplete: "off" });
    const put = async (more) => {
      sheet.close();
      if (await edit("add place", { ...at, ...more })) toast(say("boards.place_added", { name: more.name ?? theDraft().places.at(-1).name }));
    };
    queueMicrotask(() => name.input.focus());
    return [
      h("form", { class: "board-form", on: { submit: (event) => (event.preventDefault(), put({ name: name.input.value })) } }, name.all, h("button", { type: "submit", class: "primary" }, say("boards.add"))),
      theDraft().unplaced.length ? h("p", { class: "soft" }, say("boards.waiting_places")) : null,
      h("div", { class: "buttons" }, theDraft().unplaced.map((place) => button(`unplaced-${place.id}`, place.name, () => put({ place: place.id })))),
    ];
  });
}

const SNAP_MM = 12;

/** Add a site where it was tapped: exactly on the print there that belongs to no route, where one was found. */
function siteSheet(x, y) {
  const draft = theDraft();
  const far = ({ xy_mm: [u, v] }) => Math.hypot(u - x, v - y);
  const nearest = (all) => [...all].sort((one, other) => far(one) - far(other));
  const [print] = nearest(draft.loose).filter((space) => far(space) < SNAP_MM);
  const { x_mm, y_mm } = within(...(print?.xy_mm ?? [x, y]));
  openSheet(say("boards.which_site"), (sheet) => {
    const name = field("site-name", say("boards.site_name"), { maxlength: 80, required: true, autocomplete: "off" });
    const station = choiceField("site-station", say("boards.site_station"), nearest(draft.places).map((place) => [place.id, place.name]));
    const colours = [1, 2].map((n) => colourField(`site-colour-${n}`, say("boards.site_colour", { n })));
    const add = () => {
      const row = [name.input.value, station.input.value, colours.map((one) => one.input.value).join(" "), x_mm, y_mm, print?.angle_deg ?? 0];
      sheet.close();
      return edit("sites", { table: `${theDraft().sites}${row.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(",")}\n` });
    };
    queueMicrotask(() => name.input.focus());
    return h("form", { class: "board-form", on: { submit: (event) => (event.preventDefault(), add()) } }, name.all, station.all, colours.map((one) => one.all), h("button", { type: "submit", class: "primary" }, say("boards.add")));
  });
}

// The board's four corners in the photo: dragged under a magnifier, or moved by the arrow keys.

const NAMES = ["boards.corner_tl", "boards.corner_tr", "boards.corner_br", "boards.corner_bl"];

/** Show the photo with its corners; `done()` is heard once they are set. */
function showCorners(view, done) {
  const draft = theDraft();
  const rings = cornerRings({
    href: `${address(path("/photo"))}?${draft.number}`,
    size: draft.photo_px,
    corners: draft.corners_px,
    names: NAMES.map((name) => say(name)),
    label: say("boards.corners"),
  });
  const set = async (corners_px) => {
    const next = await attempt(() => put(path("/corners"), { corners_px }));
    if (next) done(take(next));
  };
  fill(view, h("p", { class: "soft" }, say("boards.corners_text")), rings.all,
    h("div", { class: "buttons" },
      button("corners-set", say("boards.corners_set"), () => set(rings.corners), { class: "primary" }),
      button("corners-all", say("boards.corners_all"), () => set([]))));
}
