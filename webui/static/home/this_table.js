// The table itself, for its host: the code by which phones come in, its display, boards of one's own.

import { get } from "../shared/api.js";
import { button, codePicture, h } from "../shared/dom.js";
import { openDisplay } from "../shared/display.js";
import { lettingIn } from "../shared/letting_in.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { say } from "../shared/words.js";

/** Open the sheet of the table. */
export async function openThisTable() {
  let codes = await attempt(() => get("/codes"));
  if (!codes) return;
  const sheet = openSheet(say("home.table"), () => [
    h("section", { class: "card join" }, h("h3", {}, say("join.title")),
      codes.is_local
        ? lettingIn(codes, codes.join.url, (answer) => ((codes = answer), sheet.refresh()))
        : [h("p", {}, say("join.text")), codePicture(codes.join.svg, say("join.code")), h("p", { class: "link" }, codes.join.url)]),
    h("div", { class: "choices" },
      button("display", say("set_up.display"), openDisplay),
      h("a", { class: "button", href: "/boards" }, say("boards.name"))),
  ]);
}
