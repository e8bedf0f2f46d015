// A game that is over leaves the house by a tap: to BG Stats, as a text for BoardGameGeek, as a score sheet.

import { address } from "./api.js";
import { h } from "./dom.js";
import { say } from "./words.js";

/** Return links for what stands below a path of the interface, as `/games/ID`; of a game that goes on the sheet alone. */
export function playLinks(path, isOver) {
  const file = (format, key, how) => h("a", { class: "button", href: address(`${path}/export/${format}`), "data-key": format, ...how }, say(key));
  const sheet = file("pdf", "plays.sheet", { download: "" });
  if (!isOver) return [sheet];
  return [
    sheet,
    bgStats(path),
    file("bgg", "plays.bgg", { target: "_blank" }),
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
