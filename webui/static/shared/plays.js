// A game on paper, by the browser's print; and when it is over, by a tap to BG Stats or as a text for BoardGameGeek.

import { address } from "./api.js";
import { button, h } from "./dom.js";
import { say } from "./words.js";

/** Return a button that prints, and links for what stands below a path of the interface, as `/games/ID`, when it is over. */
export function playLinks(path, isOver) {
  const paper = button("print", say("plays.print"), () => print());
  if (!isOver) return [paper];
  return [
    paper,
    bgStats(path),
    h("a", { class: "button", href: address(`${path}/export/bgg`), "data-key": "bgg", target: "_blank" }, say("plays.bgg")),
    h("p", { class: "soft" }, say("plays.note")),
  ];
}

/** Return the link that opens BG Stats, with the play in it; nothing is asked of BG Stats before it is tapped. */
function bgStats(path) {
  const link = h("a", { class: "button", target: "_blank", rel: "noopener noreferrer", "data-key": "bgstats", hidden: true }, say("plays.bgstats"));
  fetch(address(`${path}/export/bgstats`)).then(async (answer) => {
    if (!answer.ok) return;
    link.href = await answer.text();
    link.hidden = false;
  }).catch(() => {}); // it stays hidden: the others say that nobody answers
  return link;
}
