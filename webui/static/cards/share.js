// The game's link for the other phones at the table: whoever has it may count.

import { get } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { openSheet } from "../shared/sheets.js";
import { say } from "../shared/words.js";
import { theGame } from "./game.js";
import { attempt } from "./tell.js";

/** Show the link, and a code to scan where phones can open it. */
export async function openShare() {
  const code = await attempt(() => get(`/card-games/${theGame().id}/code`));
  if (!code) return;
  const picture = code.svg ? URL.createObjectURL(new Blob([code.svg], { type: "image/svg+xml" })) : null;
  openSheet(say("cards.share"), () => [
    h("p", {}, say("cards.share_text")),
    picture ? h("img", { class: "qr", alt: say("cards.share_code"), src: picture }) : h("p", { class: "soft" }, say("cards.share_here")),
    h("p", { class: "link" }, code.url),
  ], { onClose: () => picture && URL.revokeObjectURL(picture) });
}
