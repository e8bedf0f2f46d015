// What a page may do over https alone is told once a device, where it is wanted, with the way there.

import { h } from "./dom.js";
import { say } from "./words.js";

const TOLD = "railspotter.https-told";
let isTold = false; // by an earlier page; what was told on this one stays there

try {
  isTold = localStorage.getItem(TOLD) !== null;
} catch {
  // a private window keeps nothing: then it is told on each page
}

/** Put what this device lacks into a place; nothing where it lacks nothing, or was told before. */
export async function tellOfHttps(place) {
  if (isTold || ["localhost", "127.0.0.1"].includes(location.hostname)) return;
  if (isSecureContext && (!navigator.serviceWorker || (await navigator.serviceWorker.getRegistration().catch(() => null)))) return;
  place.replaceChildren(h("p", { class: "soft" }, say(isSecureContext ? "secure.trust" : "secure.http")),
    h("p", {}, h("a", { class: "help-link", href: "/trust" }, say("secure.how"))));
  try {
    localStorage.setItem(TOLD, "yes");
  } catch {
    // see above
  }
}
