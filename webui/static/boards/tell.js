// What was done and what went wrong, and files that are sent as they are.

import { announce } from "../table/announce.js";
import { address, CallError, post } from "../table/api.js";
import { fill, h } from "../table/dom.js";
import { said } from "../table/said.js";
import { say } from "../table/words.js";

const SHOWN_MS = 9000;
const MOST_BYTES = 32 * 2 ** 20;
const LINK = /^#host=([\w-]+)$/;
const place = () => document.getElementById("toast");
let timer = null;

/** Say what was done. */
export function tell(text, { isTrouble = false } = {}) {
  fill(place(), h("p", {}, text), h("button", { type: "button", class: "toast-close", "aria-label": say("toast.close"), on: { click: hide } }, "×"));
  place().classList.toggle("trouble", isTrouble);
  place().hidden = false;
  announce(text);
  clearTimeout(timer);
  timer = setTimeout(hide, SHOWN_MS);
}

/** Do something on the server and say why not where it refuses; gives back its answer, null for no. */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    if (error.status === undefined) throw error;
    tell(inWords(error), { isTrouble: true });
    return null;
  }
}

/** Return why the server refused: what is wrong with the board in its words, else the page's own. */
function inWords(error) {
  const text = error.status === 400 || error.status === 404 ? error.body?.error?.message : null;
  return text ? said(text.replace(/\.$/, "")) : error.message;
}

/** Send a file; what the server says against it is the error's message. */
export async function sendFile(method, path, file) {
  if (file.size > MOST_BYTES) throw new CallError(413, "too large", say("error.too_large"), {});
  let response;
  try {
    response = await fetch(address(path), { method, headers: { "Content-Type": "application/octet-stream" }, body: file });
  } catch {
    throw new CallError(0, "lost", say("error.lost"), {});
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new CallError(response.status, answer.error?.code ?? "", said(answer.error?.message) ?? say("error.other"), answer);
}

/** Trade the host's link for a cookie, where the page was opened by it. */
export async function becomeHost() {
  const token = LINK.exec(location.hash)?.[1];
  if (!token) return;
  history.replaceState(null, "", location.pathname);
  await attempt(() => post("/join", { token }));
}

function hide() {
  clearTimeout(timer);
  place().hidden = true;
}
