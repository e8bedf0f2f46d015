// All routes as a list, to find one by name or with the keyboard.

import { car, fill, h } from "./dom.js";
import { routeName, spotName, who } from "./names.js";
import { paintOf } from "./paint.js";
import { openSpot } from "./route_sheet.js";
import { openSheet } from "./sheet.js";
import { now, theBoard, watch } from "./state.js";
import { plain, say } from "./words.js";

/** Open the list; a route's own sheet opens over it. */
export function openRoutes() {
  const list = h("ul", { class: "plain results" });
  const input = h("input", { type: "search", id: "route-search", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const spots = allSpots();
  const show = () => {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    const found = spots.filter(({ name }) => words.every((word) => plain(name).includes(word)));
    fill(list, found.map(({ spot, name }) => row(spot, name)), found.length ? null : h("li", { class: "soft" }, say("routes.none")));
  };
  input.addEventListener("input", show);
  openSheet(say("routes.title"), () => [h("label", { for: "route-search" }, say("routes.search")), input, list], { name: "tall", onClose: () => stop() });
  const stop = watch((state) => [state.spots, state.players], show);
  show();
}

function allSpots() {
  const board = theBoard();
  const spots = board.routes.map((route) => ({ spot: `route:${route.id}`, name: routeName(route.id) }));
  if (now().game.has_stations) spots.push(...board.places.map((place) => ({ spot: `station:${place.id}`, name: spotName(`station:${place.id}`) })));
  spots.push(...board.sites.map((site) => ({ spot: `site:${site.id}`, name: spotName(`site:${site.id}`) })));
  return spots.sort((a, b) => a.name.localeCompare(b.name));
}

function row(spot, name) {
  const colour = now().spots[spot]?.colour ?? null;
  return h("li", {}, h("button", { type: "button", class: "result", "data-key": spot, on: { click: () => openSpot(spot) } },
    colour ? car(paintOf(colour)) : h("span", { class: "no-car", "aria-hidden": "true" }), h("span", {}, name), h("span", { class: "soft" }, who(colour))));
}
