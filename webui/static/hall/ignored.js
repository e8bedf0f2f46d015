// For the host: messages that were heard and not believed.

import { get } from "../shared/api.js";
import { button, fill, h } from "../shared/dom.js";
import { openSheet } from "../shared/sheets.js";
import { watch } from "../shared/state.js";
import { number, say, sayCount } from "../shared/words.js";

const AGAIN_MS = 15000;
const WHY = {
  topic: "hall.ignored_topic",
  length: "hall.ignored_length",
  schema: "hall.ignored_schema",
  other: "hall.ignored_other",
  old: "hall.ignored_old",
  tables: "hall.ignored_tables",
  room: "hall.ignored_room",
};

/** Show the host, and nobody else, whether there are such messages. */
export function showIgnored(place) {
  let timer = null;
  let told = null;
  const ask = async () => {
    told = await get("/hall/ignored").catch(() => told);
    fill(place, told?.count ? button("ignored", sayCount("hall.ignored", told.count), () => open(told)) : null);
  };
  watch((_, you) => [you.is_host], ([isHost]) => {
    clearInterval(timer);
    place.hidden = !isHost;
    if (!isHost) return;
    ask();
    timer = setInterval(ask, AGAIN_MS);
  });
}

function open(told) {
  const line = (text, n) => h("li", { class: "line" }, h("span", {}, text), h("span", { class: "sum" }, number(n)));
  openSheet(say("hall.ignored_title"), () => [
    h("p", {}, say("hall.ignored_text")),
    h("ul", { class: "plain" }, told.kinds.map(({ why, count }) => line(say(WHY[why] ?? "hall.ignored_schema"), count))),
    told.tables.length ? h("section", {}, h("h3", {}, say("hall.ignored_tables_title")), h("ul", { class: "plain" }, told.tables.map(({ name, count }) => line(name, count)))) : null,
  ]);
}
