// Fields with their labels.

import { h } from "../table/dom.js";
import { colourWord } from "../table/words.js";

export const COLOURS = ["red", "orange", "yellow", "green", "blue", "pink", "white", "black", "grey"];

/** Return a field: `input` is the element, `all` what is shown. */
export function field(id, label, attributes = {}) {
  const input = h("input", { id, "data-key": id, ...attributes });
  return { input, all: h("div", { class: "field" }, h("label", { for: id }, label), input) };
}

export function numberField(id, label, attributes = {}) {
  return field(id, label, { type: "number", inputmode: "decimal", ...attributes });
}

/** Return a choice among [value, text] pairs. */
export function choiceField(id, label, options, now, onChange = null) {
  const input = h("select", { id, "data-key": id, on: onChange ? { change: () => onChange(input.value) } : {} },
    options.map(([value, text]) => h("option", { value, selected: value === now }, text)));
  return { input, all: h("div", { class: "field" }, h("label", { for: id }, label), input) };
}

export function colourField(id, label, now, onChange = null) {
  const options = COLOURS.includes(now) || !now ? COLOURS : [...COLOURS, now];
  return choiceField(id, label, options.map((colour) => [colour, colourWord(colour)]), now, onChange);
}

export function button(key, text, act, attributes = {}) {
  return h("button", { type: "button", "data-key": key, on: { click: act }, ...attributes }, text);
}
