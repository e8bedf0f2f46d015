// What happened: the newest beside the score, all of it in a sheet, each with Undo.

import { get } from "../shared/api.js";
import { addTo, button, car, fill, h, icon } from "../shared/dom.js";
import { colourOfFact, eventPinText, eventText, lossText, spotOfFact } from "../shared/log_words.js";
import { newPinText, spotParts } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { misreadOffer, openSpot } from "../shared/route_sheets.js";
import { announce, openSheet, putBack, takeBack } from "../shared/sheets.js";
import { mayChange, mayHaveBack, me, now, watch } from "../shared/state.js";
import { clock, say, withWords } from "../shared/words.js";
import { play } from "./sounds.js";

const SHOWN = 4;
const PLACING = new Set(["route_claimed", "station_built", "site_claimed"]);
const NOT_TOLD = new Set(["turn_marked"]);
const NOT_UNDOABLE = new Set(["game_started", "undone", "redone"]);
/** With cards on phones moves rest on these, or they follow from the game. */
const NOT_WITH_CARDS = new Set(["player_came_in", "player_left", "player_handed_over", "seats_swapped", "last_turns_begun", "cards_put_away"]);

/** Show the last things that happened, newest first, and say new ones aloud. */
export function showLatest(place) {
  addTo("spot_seen", (spot, held) => [filmButton(newestFilm(spot), spot, null, say("film.button")), reportButton(spot, held)]);
  const items = h("ul", { class: "plain latest" });
  const loss = h("p", { class: "problem" });
  watch((state) => [state.game.lost_events], () => {
    loss.textContent = lossText(now().game);
    loss.hidden = !loss.textContent;
  });
  place.append(h("h2", { id: "latest-title" }, say("log.latest")), loss, items, button(null, say("log.all"), openLog, { class: "wide quiet" }));
  let newest = null;
  watch((state, you) => [state.log, state.players, you.role, state.cards, state.spots, state.table.films], ([log]) => {
    const last = log.at(-1)?.seq ?? 0;
    if (newest !== null) for (const event of log) if (event.seq > newest) tell(event);
    newest = last;
    fill(items, told(log).slice(-SHOWN).reverse().map((event) => item(event)));
  });
}

function tell(event) {
  if (NOT_TOLD.has(event.kind)) return;
  const claim = event.kind === "redone" ? now().log.find(({ seq }) => seq === event.fact.event) ?? event : event;
  announce([eventText(event), eventPinText(claim, newPinText)].filter(Boolean).join(". "));
  if (PLACING.has(event.kind)) play("claim");
  if (event.kind === "last_turns_begun") play("last");
}

const told = (log) => log.filter((event) => !NOT_TOLD.has(event.kind) && eventText(event));

function item(event) {
  const colour = colourOfFact(event.fact);
  const spot = spotOfFact(event.fact);
  const pin = eventPinText(event);
  const text = h("span", { class: "event-text" }, eventText(event), pin ? h("span", { class: "soft" }, pin) : null, h("time", { class: "soft" }, clock(event.at_s)));
  const what = [colour ? car(paintOf(colour)) : h("span", { class: "no-car", "aria-hidden": "true" }), text];
  return h("li", { class: event.is_undone ? "event is-undone" : "event" },
    spot ? button(`event-${event.seq}`, what, () => openSpot(spot), { class: "event-open" }) : h("div", { class: "event-open" }, what),
    filmButton(event.seq, spot, eventText(event), ""), undoButton(event));
}

/** With cards on phones people take back what is theirs. */
function isTheirs(event) {
  const { kind, fact } = event;
  if (NOT_WITH_CARDS.has(kind) || (kind === "game_ended" && !me().is_host)) return false;
  return isPaid(event) ? mayHaveBack(spotOfFact(fact)) : fact.seat === undefined || fact.seat === me().seat;
}

/** Tell whether an event is the claim that is paid for: with it go the cards. */
function isPaid({ kind, fact, seq }) {
  const spot = spotOfFact(fact);
  return PLACING.has(kind) && now().spots[spot]?.event === seq && !now().cards.unpaid.some((one) => one.spot === spot);
}

function undoButton(event) {
  if (!mayChange() || NOT_UNDOABLE.has(event.kind) || (now().cards && !isTheirs(event))) return null;
  const [act, word, name] = event.is_undone
    ? [putBack, say("redo.button"), say("redo.of", { what: eventText(event) })]
    : [takeBack, say("undo.button"), say("undo.of", { what: eventText(event) })];
  return button(`undo-${event.seq}`, word, () => act(event.seq), { class: "event-undo", "aria-label": name });
}

// What the camera saw of a claim: its film, and a report where it was wrong.

const isFilmed = (seq) => (now().table.films ?? []).includes(seq);

const newestFilm = (spot) => now().log.filter(({ seq, fact }) => isFilmed(seq) && spotOfFact(fact) === spot).at(-1)?.seq;

/** Return the button that shows a claim's film; null where there is none. */
function filmButton(seq, spot, what, text) {
  if (!mayChange() || !isFilmed(seq)) return null;
  const show = async () => (await withWords("film", import("./film.js"))).openFilm(seq, spot);
  return button(`film-${seq}`, [icon("eye"), text], show, { class: text ? "wide" : "event-undo", "aria-label": what && say("film.of", { what }) });
}

/** Return the button that keeps a report of what the camera misread, where somebody corrected it. */
function reportButton(spot, held) {
  const said = now().log.find(({ seq }) => seq === held?.event);
  if (!mayChange() || !now().table.has_camera || !said?.kind.endsWith("_corrected")) return null;
  const { act } = misreadOffer(...spotParts(spot));
  return button("misread", say("report.button"), act, { class: "wide quiet" });
}

/** Open the list of all that happened. */
export function openLog() {
  let early = [];
  const first = now().log[0]?.seq ?? 1;
  const sheet = openSheet(say("log.title"), () => [
    h("ul", { class: "plain" }, told([...early, ...now().log]).reverse().map((event) => item(event))),
  ], { follow: (state) => [state.log, state.players, state.cards, state.spots, state.table.films] });
  if (first > 1) {
    get("/log?after=0").then((answer) => {
      early = answer.events.filter((event) => event.seq < first);
      sheet.refresh();
    }, () => {});
  }
}
