// Coming to the table: the scanned code is traded for this phone's own cookie, then a seat is chosen.

import { post, remove } from "../shared/api.js";
import { car, h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { confirmSheet, openSheet } from "../shared/sheet.js";
import { me, now, seated, watch } from "../shared/state.js";
import { attempt, toast } from "../shared/toast.js";
import { colourWord, say } from "../shared/words.js";
import { askWhoIAm } from "./stream.js";

const CODE = /^#(join|host)=(.+)$/;

/** Trade the code in the address for a cookie, and have the address forget it. */
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

/** Open the choice of a seat. */
export function openSeats() {
  const sheet = openSheet(say("seat.title"), (own) => body(own), { onClose: () => stop() });
  const stop = watch((state) => [state.players], (_, before) => before && sheet.refresh());
}

function body(sheet) {
  return [
    h("p", {}, say("seat.text")),
    h("div", { class: "seats" }, now().players.map((player) => {
      const isTaken = player.is_paired && me().seat !== player.seat;
      return h("button", { type: "button", class: "seat", "data-key": `seat-${player.seat}`, disabled: isTaken, on: { click: () => take(player.seat, sheet) } },
        car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: "soft" }, isTaken ? say("seat.taken") : colourWord(player.colour)));
    })),
    h("button", { type: "button", class: "wide quiet", on: { click: () => sheet.close() } }, say("seat.watch_only")),
  ];
}

async function take(seat, sheet) {
  const answer = await attempt(() => post("/seat", { seat }));
  if (!answer) return;
  await askWhoIAm();
  sheet.close();
  toast(say("seat.have", { name: nameOf(seated(seat)) }));
}

export function leaveSeat() {
  confirmSheet(say("seat.leave_title"), say("seat.leave_text"), say("seat.leave"), async () => {
    if (await attempt(() => remove(`/seat/${me().seat}`), say("seat.left"))) await askWhoIAm();
  });
}
