// The tickets of a player without a phone: the host's phone keeps them, and shows them only while a finger rests on it.

import { get, post, remove } from "../shared/api.js";
import { button, h, holdButton, icon, photoButton } from "../shared/dom.js";
import { nameOf, endsName } from "../shared/names.js";
import { attempt, openSheet, toast } from "../shared/sheets.js";
import { now, seated } from "../shared/state.js";
import { number, say, sayCount } from "../shared/words.js";
import { openTicketSearch, photograph } from "./tickets.js";

/** Open a player's hand, hidden until somebody holds the button. */
export async function openHandOf(seat, path = `/players/${seat}/hand`) {
  let hand = await attempt(() => get(path));
  if (!hand) return;
  let isHeld = false;

  const change = async (act) => {
    const answer = await attempt(act);
    if (answer) hand = answer;
    sheet.refresh();
    return answer !== null;
  };
  const plainly = ({ a, b, points }) => ({ a, b, points });
  const drop = (ticket) => change(() => remove(path, plainly(ticket)));
  const keep = async (ticket) => {
    const isKept = await change(() => post(path, plainly(ticket)));
    // Which ticket it is, is not said: others look at this phone too.
    if (isKept) toast(say("hand.kept", { name: nameOf(seated(seat)) }), { undo: () => drop(ticket) });
    return isKept;
  };
  const reveal = async () => {
    if (!(await change(() => post(`${path}/reveal`, {})))) return;
    sheet.close();
    toast(say("tickets.revealed"));
  };

  const row = (ticket, i) => h("li", { class: "line" },
    h("span", {}, isHeld || ticket.is_revealed ? endsName(ticket) : say("hand.hidden", { n: number(i + 1) })),
    h("span", { class: "sum" }, isHeld || ticket.is_revealed ? number(ticket.points) : ""),
    ticket.is_revealed ? h("span", { class: "tag" }, say("ticket.revealed")) : now().cards ? null : button(null, icon("bin"), () => drop(ticket), { "aria-label": say("hand.drop", { n: number(i + 1) }) }));
  const list = () => h("ul", { class: "plain hand-list" }, hand.tickets.map(row));
  const show = (next) => {
    if (isHeld === next) return;
    isHeld = next;
    // The button stays as it is under the finger; only the list is made anew.
    sheet.dialog.querySelector(".hand-list").replaceWith(list());
  };

  const sheet = openSheet(say("hand.title", { name: nameOf(seated(seat)) }), () => [
    h("p", { class: "soft" }, say("hand.text", { name: nameOf(seated(seat)) })),
    h("p", {}, sayCount("hand.count", hand.tickets.length)),
    hand.is_taken_over ? h("p", { class: "soft" }, now().cards ? say("tickets.older_dealt") : say("hand.older")) : null,
    list(),
    hand.tickets.length ? holdButton("hold", show, say("hand.hold")) : null,
    now().cards ? null : photoButton("hand-photo", say("tickets.photo"), (files) => photograph(path, files, hand.tickets, keep)),
    now().cards ? null : button("hand-add", [icon("plus"), say("tickets.add")], () => openTicketSearch(hand.tickets, keep), { class: "wide" }),
    now().game.ended && !hand.is_all_shown ? button("hand-reveal", say("hand.reveal"), reveal, { class: "wide" }) : null,
  ], { name: "tall" });
}
