// Places: their list, the one that is chosen, and a table that is pasted.

import { h } from "../shared/dom.js";
import { list, number, say } from "../shared/words.js";
import { edit, theDraft } from "./draft.js";
import { button, field, numberField, tableField } from "./fields.js";

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
