// Whether this device calls the game, and how much it says; and one's own tickets, read aloud when they are asked for.

import { get } from "../shared/api.js";
import { button, h } from "../shared/dom.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { me } from "../shared/state.js";
import { say, withWords } from "../shared/words.js";
import { canSpeak, hasVoice, sayAloud } from "./speech.js";
import { isFuller, isOn, putVoice, startVoice } from "./voice.js";

/** Open the sheet with the switches. */
export async function openVoice() {
  await startVoice();
  openSheet(say("phone.voice"), (sheet) => (hasVoice() ? switches(sheet) : h("p", {}, say(canSpeak() ? "voice.no_language" : "voice.cannot"))));
}

function switches(sheet) {
  return [
    h("p", { class: "soft" }, say("voice.text")),
    toggle("voice-on", say("voice.calls"), isOn.get(), async (on) => (await putVoice(on), sheet.refresh())),
    isOn.get() ? toggle("voice-fuller", say("voice.fuller"), isFuller.get(), (on) => (isFuller.set(on), sayAloud("voice", () => say(on ? "voice.fuller_on" : "voice.fuller_off")))) : null,
    me().seat ? button("read-tickets", say("voice.read_tickets"), readTickets, { class: "wide" }) : null,
    me().seat ? h("p", { class: "soft" }, say("voice.overheard")) : null,
  ];
}

function toggle(id, text, isChecked, put) {
  const box = h("input", { type: "checkbox", role: "switch", id, "data-key": id, on: { change: () => put(box.checked) } });
  box.checked = isChecked;
  return h("label", { class: "switch", for: id }, h("span", {}, text), box);
}

/** Others may hear it, so nobody's tickets are ever read unasked. */
async function readTickets() {
  const [hand, { ticketText }] = await Promise.all([attempt(() => get("/hand")), withWords("ask", import("./answers.js"))]);
  if (!hand) return;
  const { tickets } = hand;
  if (!tickets.length) return void sayAloud("tickets", () => say("voice.no_tickets"));
  tickets.forEach((ticket, i) => sayAloud(`ticket ${i}`, () => ticketText(ticket)));
}
