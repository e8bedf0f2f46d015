// The board that is being made: as the server has it, and every change of it one after another.

import { get, post } from "../shared/api.js";
import { attempt } from "./forms.js";

const ASK_MS = 700;
const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
let draft = null;
let heard = () => {};
let last = Promise.resolve();

export const theDraft = () => draft;
export const path = (rest = "") => `/board-drafts/${id}${rest}`;
/** Return the rules that the board is played by, as far as they matter here; none where nobody has said. */
export const theRules = () => draft.editions.find((one) => one.id === draft.edition) ?? { modes: [], has_sites: false };
export const placeName = (place) => draft.places.find((one) => one.id === place)?.name ?? place;

export function onDraft(hear) {
  heard = hear;
}

export async function load() {
  return take(await get(path()));
}

/** Load it once the edits before are done, and let later ones wait: no answer overtakes another. */
export function reload() {
  last = last.then(() => attempt(load));
  return last;
}

/** Edit; edits that come fast wait for each other. Gives back whether it was done. */
export function edit(kind, more = {}) {
  return queued(() => post(path("/edits"), { seen: draft.number, kind, ...more }));
}

export const undo = () => queued(() => post(path("/undo"), { seen: draft.number }));
export const redo = () => queued(() => post(path("/redo"), { seen: draft.number }));
export const save = () => attempt(() => post(path("/save"), { seen: draft.number }));

/** Take what the server says of the draft, and show it. */
export function take(next) {
  draft = next;
  heard(draft);
  return draft;
}

/** Let the server look for routes, and wait until it has. */
export async function propose(size) {
  const told = await attempt(() => post(path("/propose"), size));
  if (told) await watchWork();
}

/** Follow what the server is doing with the draft until it is done. */
export async function watchWork() {
  for (;;) {
    const work = await get(path("/work")).catch(() => null);
    if (work && !work.step) return reload();
    if (work && work.step !== draft.work.step) take({ ...draft, work });
    await new Promise((go) => setTimeout(go, ASK_MS));
  }
}

function queued(act) {
  last = last.then(async () => {
    const next = await attempt(act);
    if (next) take(next);
    else await attempt(load); // it may be another one by now
    return Boolean(next);
  });
  return last;
}
