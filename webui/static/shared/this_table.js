// The table itself, for its host: the code for the wall, who may come in, what guests may do, the PIN.

import { get, patch, post } from "./api.js";
import { pinForm } from "./becoming_host.js";
import { button, codePicture, h, settle } from "./dom.js";
import { lettingIn } from "./letting_in.js";
import { attempt, confirmSheet, openSheet } from "./sheets.js";
import { say } from "./words.js";

const GUESTS = ["home", "cafe"];

/** Open the sheet of the table; `more` are further buttons of the page, `onClose` hears that it is closed. */
export async function openThisTable(more = [], onClose = null) {
  const told = await attempt(() => Promise.all([get("/codes"), get("/door")]));
  if (!told) return;
  let [codes, door] = told;
  const sheet = openSheet(say("home.table"), () => [wallCard(), doorCard(), pinCard(), more.length ? h("div", { class: "choices" }, more) : null], { onClose });

  function know(next) {
    if (next) codes = next;
    sheet.refresh();
  }

  async function change(changes, done = "") {
    door = (await attempt(() => patch("/door", changes), done)) ?? door;
    sheet.refresh();
  }

  function wallCard() {
    const renew = async () => know(await attempt(() => post("/codes"), say("word.renewed")));
    return h("section", { class: "card join" }, h("h3", {}, say("join.title")),
      codes.is_local
        ? lettingIn(codes, codes.join.url, know)
        : [h("p", {}, say("join.text")), codePicture(codes.join.svg, say("join.code")), h("p", {}, say("word.type")), h("p", { class: "link" }, codes.named ?? codes.join.url.split("#")[0]), h("p", { class: "word" }, codes.word)],
      h("div", { class: "choices" },
        codes.is_local ? null : h("a", { class: "button", href: "/wall" }, say("word.print")),
        button("new-word", say("word.renew"), () => confirmSheet(say("word.renew_title"), say("word.renew_text"), say("word.renew"), renew))));
  }

  function doorCard() {
    const open = h("input", { type: "checkbox", role: "switch", id: "door-open", "data-key": "door-open", checked: door.is_open, on: { change: () => change({ is_open: open.checked }) } });
    const onScreens = h("input", { type: "checkbox", role: "switch", id: "on-screens", "data-key": "on-screens", checked: door.is_on_screens, on: { change: () => change({ is_on_screens: onScreens.checked }) } });
    const option = (value) => h("option", { value, selected: value === door.guests }, say(value === "home" ? "door.home" : "door.cafe"));
    return h("section", { class: "card" }, h("h3", {}, say("door.who")),
      h("label", { class: "switch", for: "door-open" }, h("span", {}, say("door.open")), open),
      h("p", { class: "soft" }, say(door.is_open ? "door.open_text" : "door.closed_text")),
      h("label", { class: "switch", for: "on-screens" }, h("span", {}, say("door.on_screens")), onScreens),
      h("label", { class: "switch", for: "guests" }, h("span", {}, say("door.guests")),
        h("select", { id: "guests", "data-key": "guests", on: { change: ({ target }) => change({ guests: target.value }) } }, GUESTS.map(option))),
      h("p", { class: "soft" }, say(door.guests === "home" ? "door.home_text" : "door.cafe_text")));
  }

  function pinCard() {
    const set = async (pin) => (await change({ pin }, say("pin.done")), settle(document.getElementById("pin"), pin));
    return h("section", { class: "card" }, h("h3", {}, say("pin.title")), h("p", { class: "soft" }, say(door.has_pin ? "pin.is_set" : "pin.text")),
      pinForm(say("pin.label"), say(door.has_pin ? "pin.change" : "pin.set"), set),
      door.has_pin ? button("pin-remove", say("pin.remove"), () => change({ pin: "" }, say("pin.removed")), { class: "wide" }) : null);
  }
}
