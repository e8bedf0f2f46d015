// Who is in: a phone that comes to the table chooses a seat, and the host is led to the code for the others.

import { post } from "../shared/api.js";
import { button, fill, icon } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { attempt, toast } from "../shared/sheets.js";
import { me, now, seated, watch } from "../shared/state.js";
import { askWhoIAm } from "../shared/stream.js";
import { say, withWords } from "../shared/words.js";
import { whenAtRest } from "./motion.js";
import { showTab } from "./tabs.js";

/** Say it when the host takes this phone's seat. */
export function watchSeat() {
  watch((state, you) => [you.lost_seat], ([lost]) => seated(lost) && toast(say("seat.lost", { name: nameOf(seated(lost)) }), { isTrouble: true }));
}

/** Until another phone has come in, or a route is claimed, the host's first page leads to the code for them. */
export function showInvitation(place) {
  fill(place, button("invite", [icon("people"), say("join.invite")], () => showTab("table"), { class: "wide" }));
  const draw = () => {
    const { game, players, spots } = now();
    const isBegun = game.ended || Object.values(spots).some((held) => held.colour);
    const others = players.filter((player) => player.seat !== me().seat && !player.computer);
    place.hidden = !me().is_host || isBegun || !others.length || others.some((player) => player.is_paired);
  };
  watch((state, you) => [state.players, state.game.ended, state.spots, you], () => whenAtRest(draw));
}

// The scanned code is traded for this phone's own cookie, then a seat is chosen.

const CODE = /^#(join|host)=(.+)$/;

/** Trade the code in the address for a cookie, and have the address forget it; it may come while the page is open. */
export async function comeIn() {
  const code = CODE.exec(location.hash);
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  const answer = await attempt(() => post("/join", { token: decodeURIComponent(code[2]) }));
  if (!answer) return;
  await attempt(askWhoIAm);
  if (code[1] === "host") toast(say("join.host"));
  if (!me().seat) openSeats();
}

/** Ask whoever came in, or set the game up, once a game who they are; the only person among computers just sits down. */
export function askForSeat() {
  watch((state, you) => [state.phase, state.game.id, you.seat, you.has_joined], async ([phase, id, seat, hasJoined]) => {
    // Nobody sits at a demo, which is in no list either.
    if (phase !== "seats" || seat || !hasJoined || me().lost_seat || !now().game.is_kept || sessionStorage.getItem(ASKED) === id) return;
    const people = now().players.filter((player) => !player.computer && !player.has_left);
    if (people.every((player) => player.is_paired)) return;
    if (people.length > 1 || now().players.length === 1 || !me().is_host) return openSeats();
    sessionStorage.setItem(ASKED, id);
    const sheet = await attempt(seatSheet);
    return sheet?.take(people[0]);
  });
}

const ASKED = "railspotter.seat-asked";
const seatSheet = () => withWords("seats", import("./seats.js"));

let opening = null; // while the choice is fetched: who comes in by a code is asked once, not twice

/** Open the choice of a seat; it is fetched then, for a phone chooses once. */
export function openSeats() {
  sessionStorage.setItem(ASKED, now().game.id);
  if (!document.querySelector(".seats")) opening ??= attempt(seatSheet).then((sheet) => sheet?.openSeats()).finally(() => (opening = null));
  return opening;
}
