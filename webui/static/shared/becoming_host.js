// How a phone comes to run the table: by the number on the computer's screen, a host's word, or the keeper's PIN.

import { post } from "./api.js";
import { button, h } from "./dom.js";
import { attempt } from "./sheets.js";
import { me } from "./state.js";
import { say } from "./words.js";

/** Return what a phone that is no host is offered, as `GET /host` tells it; `done` is called once that changed something. */
export function becomingHost({ has_host: hasHost, is_here: isHere, number, asked, has_pin: hasPin }, done) {
  const claim = (body, path = "/host") => attempt(() => post(path, body)).then((you) => you && done());
  const here = isHere ? button("host-here", say("hosts.here"), () => claim({}), { class: hasHost ? "wide quiet" : "primary wide" }) : null;
  if (number) return [h("p", {}, say("hosts.number")), h("p", { class: "number" }, number), here];
  if (!hasHost) return [numberForm((number) => claim({ number }))];
  if (!me().has_joined) return [h("p", {}, say("home.guest")), here];
  const pin = hasPin ? pinForm(say("hosts.pin"), say("hosts.by_pin"), (text) => claim({ pin: text }, "/host/pin")) : null;
  if (asked === "waiting") return [h("p", { role: "status" }, say("hosts.waiting")), pin];
  const ask = (name) => attempt(() => post("/host/requests", { name })).then((answer) => answer && done());
  return [h("p", {}, say(asked === "no" ? "hosts.refused" : "home.waiting")), codeForm("host-name", say("hosts.name"), { maxlength: 40 }, say("hosts.ask"), ask), pin, here];
}

/** Return the form for the number that the computer shows while there is no host. */
export const numberForm = (act, look = {}) => codeForm("host-number", say("hosts.type"), { inputmode: "numeric", pattern: "[0-9]{4}", maxlength: 4 }, say("hosts.mine"), act, look);

/** Return the form for a PIN. */
export const pinForm = (label, send, act) => codeForm("pin", label, { inputmode: "numeric", pattern: "[0-9]{4,8}", maxlength: 8 }, send, act);

/** Return a form of one field; `act(text)` gets what was typed. */
export function codeForm(id, label, attributes, send, act, look = {}) {
  const input = h("input", { id, type: "text", required: true, autocomplete: "off", "data-key": id, "data-draft": true, ...attributes });
  const submit = (event) => (event.preventDefault(), act(input.value.trim()));
  return h("form", { class: "stack", on: { submit } }, h("label", { for: id }, label), input, h("button", { type: "submit", class: "wide", ...look }, send));
}
