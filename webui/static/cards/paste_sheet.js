// A deck from a spreadsheet or a file: pasted, read by the server, then kept whole or not at all.

import { post } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { openSheet } from "../shared/sheets.js";
import { say, sayCount } from "../shared/words.js";
import { addToDeck } from "./deck.js";
import { faultText } from "./faults.js";
import { tell } from "./tell.js";

const EXAMPLE = "Aville\tBeetown\t5\t2 red 1 blue\nCity C\tDale\t9\t3 green 2 pink\nbonus\tAville\t8"; // made up

/** Open the sheet; `done()` when the deck has what was pasted. */
export function openPaste(done) {
  const text = h("textarea", { id: "deck-text", rows: 8, spellcheck: "false", autocapitalize: "off", placeholder: EXAMPLE });
  const file = h("input", { type: "file", id: "deck-file", accept: ".json,.csv,.tsv,.txt" });
  const fault = h("p", { class: "trouble-text", role: "alert" });
  const form = h("form", { class: "stack" },
    h("p", { class: "soft" }, say("cards.paste_how")),
    h("label", { for: "deck-text" }, say("cards.paste_label")), text,
    h("label", { for: "deck-file" }, say("cards.paste_file")), file, fault,
    h("button", { type: "submit", class: "primary" }, say("cards.paste_take")));
  const sheet = openSheet(say("cards.paste_title"), () => form);
  file.addEventListener("change", async () => {
    if (file.files[0]) text.value = await file.files[0].text();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    try {
      const fresh = await addToDeck(await post("/card-deck/parse", { text: text.value }));
      sheet.close();
      tell(sayCount("cards.paste_done", fresh));
      done();
    } catch (error) {
      if (error.status === undefined) throw error;
      fault.textContent = faultText(error);
    }
  });
  text.focus();
}
