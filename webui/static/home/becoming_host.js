// How this phone comes to run the table: by the number on the computer's screen, or a host's word.

import { get, post } from "../shared/api.js";
import { button, h } from "../shared/dom.js";
import { attempt } from "../shared/sheets.js";
import { me } from "../shared/state.js";
import { say } from "../shared/words.js";

/** Return how things stand with hosts, for a phone that is none. */
export const hostNow = () => (me().is_host ? null : get("/host"));

/** Return what a phone that is no host is offered; `done` is called once that changed something. */
export function becomingHost({ has_host: hasHost, is_here: isHere, number, asked }, done) {
  const claim = (body) => attempt(() => post("/host", body)).then((you) => you && done());
  const here = isHere ? button("host-here", say("hosts.here"), () => claim({}), { class: hasHost ? "wide quiet" : "primary wide" }) : null;
  if (number) return [h("p", {}, say("hosts.number")), h("p", { class: "number" }, number), here];
  if (!hasHost) return [form("host-number", say("hosts.type"), { inputmode: "numeric", pattern: "[0-9]{4}", maxlength: 4 }, say("hosts.mine"), (text) => claim({ number: text }))];
  if (!me().has_joined) return [h("p", {}, say("home.guest")), here];
  if (asked === "waiting") return [h("p", { role: "status" }, say("hosts.waiting"))];
  const ask = (name) => attempt(() => post("/host/requests", { name })).then((answer) => answer && done());
  return [h("p", {}, say(asked === "no" ? "hosts.refused" : "home.waiting")), form("host-name", say("hosts.name"), { maxlength: 40 }, say("hosts.ask"), ask), here];
}

function form(id, label, attributes, send, act) {
  const input = h("input", { id, type: "text", required: true, autocomplete: "off", "data-key": id, "data-draft": true, ...attributes });
  const submit = (event) => (event.preventDefault(), act(input.value.trim()));
  return h("form", { class: "stack", on: { submit } }, h("label", { for: id }, label), input, h("button", { type: "submit", class: "wide" }, send));
}
