// A page that only its own computer can open: said in place of a code that no phone could use, with the way to open it.

import { post } from "./api.js";
import { button, h } from "./dom.js";
import { attempt } from "./sheets.js";
import { say } from "./words.js";

/**
 * Return what is said, with the link for another browser on that computer; `then(codes)` gets the
 * codes that phones can use once they are let in.
 */
export function lettingIn({ can_let_in: canLetIn }, url, then) {
  const letIn = async () => {
    const codes = await attempt(() => post("/let-in"), say("let_in.done"));
    if (codes) then(codes);
  };
  return [
    h("p", {}, say(canLetIn ? "let_in.text" : "let_in.no_network")),
    canLetIn ? button("let-in", say("let_in.button"), letIn, { class: "primary wide" }) : null,
    h("p", { class: "soft" }, say("let_in.here")),
    h("p", { class: "link" }, url),
  ];
}
