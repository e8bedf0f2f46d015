// Asking the server, and what to say when it says no.

import { say } from "./words.js";

const API = "/api/v1";
const PATIENCE_MS = 8000;
const AGAIN_MS = 2000;

/** What went wrong with a call: the server's `code`, or "lost" when it did not answer. */
export class CallError extends Error {
  constructor(status, code, message, body) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const put = (path, body) => call("PUT", path, body);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path, body) => call("DELETE", path, body ?? {});

// Refused for the moment only.
const BUSY = [429, 503];

/** Ask until the server answers, which may restart or be busy, unless `isOver()` says that nobody waits any more. */
export async function getPatiently(path, isOver = () => false) {
  for (;;) {
    try {
      return await get(path);
    } catch (error) {
      if ((error.status && !BUSY.includes(error.status)) || isOver()) throw error;
    }
    await new Promise((go) => setTimeout(go, AGAIN_MS));
  }
}

let guest = "";
/** Ask with the token of a guest link from here on. */
export const lookOnBy = (token) => (guest = encodeURIComponent(token));

/** Return where a call, or a picture that an answer names, is. */
export function address(path) {
  const whole = path.startsWith("/") && !path.startsWith(API) ? API + path : path;
  return guest ? `${whole}${whole.includes("?") ? "&" : "?"}guest=${guest}` : whole;
}

async function call(method, path, body) {
  let response;
  try {
    response = await fetch(address(path), {
      method,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout?.(PATIENCE_MS), // televisions' browsers are old
    });
  } catch {
    // What was sent may have arrived, and its answer be lost.
    throw new CallError(0, "lost", method === "GET" ? say("error.lost") : say("error.unsure"));
  }
  const isJson = response.headers.get("Content-Type")?.includes("json");
  const answer = isJson ? await response.json().catch(() => ({})) : {};
  if (response.ok) return answer;
  throw new CallError(response.status, answer.error?.code ?? "", complaint(response.status, answer), answer);
}

const COMPLAINTS = {
  401: "error.no_seat",
  403: "error.not_yours",
  413: "error.too_large",
  429: "error.too_often",
  503: "error.not_written",
};

/** Codes of refusals whose own sentence says more than one for all of their status. */
const TELLING = new Set(["no broker", "used", "old", "too early", "not yours", "not here", "not written"]);

function complaint(status, answer) {
  if (TELLING.has(answer.error?.code)) return answer.error.message;
  if (status in COMPLAINTS) return say(COMPLAINTS[status]);
  return answer.error?.message ?? say("error.other");
}
