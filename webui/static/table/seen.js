// What the camera saw of a claim: its film, and a report where it was wrong.

import { addTo, button, icon } from "../shared/dom.js";
import { spotOfFact } from "../shared/log_words.js";
import { spotParts } from "../shared/names.js";
import { misreadOffer } from "../shared/route_sheets.js";
import { mayChange, now } from "../shared/state.js";
import { say, withWords } from "../shared/words.js";

/** Add to the sheets of routes what the camera saw there. */
export function showSeen() {
  const newest = (spot) => (now().log ?? []).filter(({ seq, fact }) => isFilmed(seq) && spotOfFact(fact) === spot).at(-1)?.seq;
  addTo("spot_seen", (spot, held) => [filmButton(newest(spot), spot, null, say("film.button")), reportButton(spot, held)]);
}

const isFilmed = (seq) => (now().table.films ?? []).includes(seq);

/** Return the button that shows a claim's film; null where there is none. */
export function filmButton(seq, spot, what, text) {
  if (!mayChange() || !isFilmed(seq)) return null;
  const show = async () => (await withWords("film", import("./film.js"))).openFilm(seq, spot);
  return button(`film-${seq}`, [icon("eye"), text], show, { class: text ? "wide" : "event-undo", "aria-label": what && say("film.of", { what }) });
}

function reportButton(spot, held) {
  const said = now().log?.find(({ seq }) => seq === held?.event);
  if (!mayChange() || !now().table.has_camera || !said?.kind.endsWith("_corrected")) return null;
  const { act } = misreadOffer(...spotParts(spot));
  return button("misread", say("report.button"), act, { class: "wide quiet" });
}
