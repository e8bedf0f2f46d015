// A game that is dealt to phones, as this phone sees it, and what it does there.

import { get, post, remove } from "../shared/api.js";
import { toast } from "../shared/sheets.js";
import { lookAt } from "./look.js";

const LOOK_MS = 2000;

let told = null;
let shown = () => {};
let isActing = false;

export const thePlay = () => told;
export const playPath = (rest = "") => `/dealt-card-games/${told.id}${rest}`;

/** Open a game and keep it true; `show()` is called whenever it is another. */
export async function openPlay(id, show) {
  shown = show;
  told = await get(`/dealt-card-games/${id}/view`);
  show();
  setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", () => document.hidden || look());
}

/** See what other phones did. */
async function look() {
  if (document.hidden || isActing) return;
  const answer = await lookAt(playPath("/view"));
  if (answer && !isActing) take(answer);
}

function take(answer) {
  const isSame = JSON.stringify(answer) === JSON.stringify(told);
  told = answer;
  if (!isSame) shown();
}

/** Do something; one thing at a time, however often somebody taps. What was refused is said. */
async function act(call) {
  if (isActing) return false;
  isActing = true;
  try {
    take(await call());
    return true;
  } catch (error) {
    if (error.status === undefined) throw error;
    toast(error.message, { isTrouble: true });
    return false;
  } finally {
    isActing = false;
    await look();
  }
}

export const play = (move) => act(() => post(playPath("/moves"), { seen: told.view.moves, move }));
export const sitDown = (colour) => act(() => post(playPath("/seat"), { colour }));
export const getUp = () => act(() => remove(playPath("/seat")));
export const freeSeat = (colour) => act(() => remove(playPath(`/seats/${colour}`)));
export const vouchFor = (colour) => act(() => post(playPath("/vouch"), { colour }));
export const dealAnew = (colour) => act(() => post(playPath("/deal-anew"), { colour }));
export const wantDeletion = () => act(async () => ((await remove(playPath())).is_deleted ? location.reload() : null, get(playPath("/view"))));
