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
export const post = (path, body = {}, signal = null) => call("POST", path, body, signal);
export const put = (path, body) => call("PUT", path, body);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path, body) => call("DELETE", path, body ?? {});

// Refused for the moment only.
const BUSY = [429, 503];

/** Ask until the server answers, which may restart or be busy, unless `isOver()` says that nobody waits any more. */
export function getPatiently(path, isOver = () => false) {
  return patiently(() => get(path), (error) => {
    if ((error.status && !BUSY.includes(error.status)) || isOver()) throw error;
  });
}

/** Do something until it succeeds, as for a page that was opened before its server ran; `failed(error)` hears each failure, and may give up. */
export async function patiently(act, failed) {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      failed(error);
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

function call(method, path, body, signal = null) {
  return answered(path, complaint, {
    method,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body && JSON.stringify(body),
    signal: signal ?? AbortSignal.timeout?.(PATIENCE_MS), // televisions' browsers are old
  });
}

const MOST_BYTES = 32 * 2 ** 20;

/** Send a file as it is; what the server says against it is the error's message. */
export async function sendFile(method, path, file) {
  if (file.size > MOST_BYTES) throw new CallError(413, "too large", say("error.too_large"));
  return answered(path, (_, answer) => answer.error?.message ?? say("error.other"), { method, headers: { "Content-Type": "application/octet-stream" }, body: file });
}

/** Send photos, which may take long to read, until `signal` says that nobody waits any more. */
export async function sendPhotos(path, photos, signal = null) {
  const body = new FormData();
  for (const photo of photos) body.append("photo", photo, photo.name || "photo");
  return answered(path, (_, answer) => answer.error?.message ?? say("error.other"), { method: "POST", body, signal });
}

/** Return what the server answers; `why(status, answer)` words a refusal. */
async function answered(path, why, request) {
  let response;
  try {
    response = await fetch(address(path), request);
  } catch {
    // What was sent may have arrived, and its answer be lost.
    throw new CallError(0, "lost", request.method === "GET" ? say("error.lost") : say("error.unsure"));
  }
  const isJson = response.headers.get("Content-Type")?.includes("json");
  const answer = isJson ? await response.json().catch(() => ({})) : {};
  if (response.ok) return answer;
  // The door was closed to this phone: its page asks for the word. Who asks with a token or the word stays.
  if (answer.error?.code === "word" && !guest && !/[?&](guest|word)=/.test(location.search)) location.reload();
  throw new CallError(response.status, answer.error?.code ?? "", why(response.status, answer), answer);
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
