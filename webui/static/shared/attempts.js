// Things done on the server, each followed by a line that says what was done, with Undo, or why not.

import { post } from "./api.js";
import { toast } from "./sheets.js";
import { now, reached } from "./state.js";
import { say } from "./words.js";

const LINK = /^#host=([\w-]+)$/;

/**
 * Do something on the server and say what was done, or why not; gives back its answer, null for no.
 *
 * `undo` is a function that takes it back, or the end of the kind of event that it leaves in the log;
 * `why` puts a refusal in words.
 */
export async function attempt(act, done = "", undo = null, why = (error) => error.message) {
  const before = now()?.log.at(-1)?.seq ?? 0;
  try {
    const answer = await act();
    if (done) toast(done, { undo: typeof undo === "string" ? await undoOf(undo, before, answer.number) : undo });
    return answer;
  } catch (error) {
    if (error.status === undefined) throw error;
    toast(why(error), { isTrouble: true });
    return null;
  }
}

/** Return what takes back the event that came since and is of that kind. */
async function undoOf(kind, before, number) {
  await reached(number);
  const event = now().log.findLast((one) => one.seq > before && one.kind.endsWith(kind));
  return event ? () => takeBack(event.seq) : null;
}

export async function takeBack(event) {
  await attempt(() => post("/undo", { event }), say("undo.done"), () => putBack(event));
}

export async function putBack(event) {
  await attempt(() => post("/redo", { event }), say("redo.done"), () => takeBack(event));
}

/** Become the host, where the page was opened by the host's link; tell whether nothing was refused. */
export async function becomeHost() {
  const token = LINK.exec(location.hash)?.[1];
  if (!token) return true;
  history.replaceState(null, "", location.pathname);
  return (await attempt(() => post("/join", { token }))) !== null;
}
