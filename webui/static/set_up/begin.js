// The game begins: its server takes the place of this one, and this page waits for it.

import { address, post } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { say } from "../shared/words.js";
import { stopLooking, take, theSetUp, trying } from "./choices.js";

const LOOK_MS = 400;
const LONG_MS = 60_000;
let isBeginning = false;

/** Begin a new game (`what` is "begin"), or go on with one ("resume"); tell whether the server took it. */
export async function begin(what, body = {}) {
  if (isBeginning) return false;
  isBeginning = true;
  const answer = await trying(() => post(`/set-up/${what}`, body));
  isBeginning = false;
  if (answer === null) return false;
  take(answer);
  if (theSetUp().begun) waitForGame();
  return true;
}

/** Wait until the game answers, then go to its page; also on a phone where nobody tapped. */
export async function waitForGame() {
  if (isBeginning) return;
  isBeginning = true;
  stopLooking();
  showWaiting("set_up.beginning_text");
  const since = performance.now();
  let isLong = false;
  while (!(await answers())) {
    if (!isLong && performance.now() - since > LONG_MS) showWaiting("set_up.beginning_long");
    isLong ||= performance.now() - since > LONG_MS;
    await new Promise((go) => setTimeout(go, LOOK_MS));
  }
  location.replace("/");
}

function showWaiting(text) {
  document.body.dataset.at = "beginning";
  for (const id of ["foot", "own", "steps", "trouble"]) document.getElementById(id).hidden = true;
  fill(document.getElementById("view"), h("h1", { tabindex: "-1" }, say("set_up.beginning")), h("p", { role: "status" }, say(text)), h("progress", { "aria-label": say("set_up.beginning") }));
  document.querySelector("h1").focus({ preventScroll: true });
}

async function answers() {
  try {
    return (await fetch(address("/state"), { signal: AbortSignal.timeout(5000) })).status === 200;
  } catch {
    return false; // neither server is there at this moment
  }
}
