// Asking the server each second how it stands with the board.

import { get } from "../shared/api.js";
import { attempt } from "../shared/sheets.js";
import { sentence } from "../shared/words.js";

const EACH_MS = 1000;

/** Tell `told(view)` each second, or `refused(error)` where the server says no, until `stop()`. */
export function watchDesk(told, refused) {
  let holding = null; // the picture that somebody works on
  let timer = null;
  let isStopped = false;

  async function ask() {
    clearTimeout(timer);
    try {
      if (!document.hidden) {
        const view = await get(`/calibration${holding ? `?holding=${holding}` : ""}`);
        if (!isStopped) told(view);
      }
    } catch (error) {
      if (error.status === undefined) throw error;
      // A server that does not answer is asked again; what it shows stays.
      if (!isStopped && error.status >= 400 && error.status < 429) refused(error);
    } finally {
      if (!isStopped) timer = setTimeout(ask, EACH_MS);
    }
  }
  ask();
  return {
    hold: (number) => (holding = number),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

// Doing something on the server, and saying why it was not done.

/** Do something, hand the server's answer on, and say why not where it refuses. */
export async function act(ask, told = () => {}, done = "") {
  const view = await attempt(ask, done, null, inWords);
  if (view) told(view);
  return view;
}

/** Return why the server refused: in its own words where it has some about the board. */
function inWords(error) {
  const text = [400, 404, 409].includes(error.status) ? error.body?.error?.message : null;
  return text ? sentence(text.replace(/\.$/, "")) : error.message;
}
