// Fields with their labels.

import { h, settle } from "../shared/dom.js";
import { colourWord, say } from "../shared/words.js";

export const COLOURS = ["red", "orange", "yellow", "green", "blue", "pink", "white", "black", "grey"];

/** Return a field: `input` is the element, `all` what is shown. */
export function field(id, label, attributes = {}) {
  const input = h("input", { id, "data-key": id, ...attributes });
  return { input, all: h("div", { class: "field" }, h("label", { for: id }, label), input) };
}

export function numberField(id, label, attributes = {}) {
  return field(id, label, { type: "number", inputmode: "decimal", ...attributes });
}

/** Return a choice among [value, text] pairs; without `onChange` a button sends it. */
export function choiceField(id, label, options, now, onChange = null) {
  const input = h("select", { id, "data-key": id, "data-draft": !onChange, on: onChange ? { change: () => onChange(input.value) } : {} },
    options.map(([value, text]) => h("option", { value, selected: value === now }, text)));
  return { input, all: h("div", { class: "field" }, h("label", { for: id }, label), input) };
}

export function colourField(id, label, now, onChange = null) {
  const options = COLOURS.includes(now) || !now ? COLOURS : [...COLOURS, now];
  return choiceField(id, label, options.map((colour) => [colour, colourWord(colour)]), now, onChange);
}

/** Return where a table is typed or pasted, and the button that sends it by `send(text)`, which tells whether it was taken. */
export function tableField(id, key, send, attributes, now = "") {
  const area = h("textarea", { id, "data-key": id, "data-draft": true, spellcheck: "false", ...attributes }, now);
  const take = async () => {
    const sent = area.value;
    if (await send(sent)) settle(document.getElementById(id), sent); // the board was drawn anew with it
  };
  return [area, button(key, say("boards.take_table"), take)];
}

export function button(key, text, act, attributes = {}) {
  return h("button", { type: "button", "data-key": key, on: { click: act }, ...attributes }, text);
}
