// All that is chosen on one page, and one button that begins.

import { get } from "../shared/api.js";
import { button, car, fill, fillAnew, h, setText } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { list, say, sentence } from "../shared/words.js";
import { isDone, theSetUp } from "./choices.js";
import { cardsInShort } from "./computers.js";
import { faultsPlace, gameInFull, gapsPlace, heading, livePicture, nameOf, showExtras, showGames, sourceInFull } from "./parts.js";

const LOOK_MS = 2000;

/** Show the summary. */
export function readyStep(place, { go, foot, resume }) {
  const rows = h("div", { class: "options" });
  const extras = h("div", {});
  const games = h("div", {});
  const gaps = gapsPlace();
  const picture = livePicture();
  const why = h("p", { class: "soft", role: "status" });
  const offer = button("own-photo", say("set_up.own_photo"), () => go("calibration"), { class: "nudge", hidden: true });
  let isOfferKnown = false; // asked for once: the desk of calibrating rests while nobody asks it
  const timer = setInterval(lookWhy, LOOK_MS);
  const places = ["players", "source", "calibration"].map(faultsPlace);
  fill(place, heading("set_up.ready_title", "set_up.ready_text"), places.map((one) => one.place), rows, gaps.place, why, offer, picture.place, extras, games);
  return {
    show(view) {
      for (const one of places) one.show(view);
      fillAnew(rows, [view.edition, view.players, sourceInFull(view), view.step, view.cards], () => [
        row("edition", "set_up.game", gameInFull(view)),
        row("players", "set_up.players", list(view.players.map(nameOf)), view.players.map((player) => car(paintOf(player.colour)))),
        cardsInShort(view) ? row("players", "set_up.cards", cardsInShort(view), [], "cards") : null,
        row("source", "set_up.camera", sourceInFull(view)),
        !hasCamera(view) ? null : row("calibration", "set_up.board", isDone("calibration") ? say("set_up.found") : say("set_up.looking")),
      ]);
      gaps.show(view);
      showExtras(extras, view, go);
      showGames(games, view, resume);
      picture.show(Boolean(view.source?.has_picture));
      foot.next.disabled = !view.may_begin;
    },
    stop: () => (clearInterval(timer), picture.show(false)),
  };

  /** Say what is known of the board while it is not found, and once it is, what a photo of it would save. */
  async function lookWhy() {
    const isFound = theSetUp().step !== "calibration";
    if (document.hidden || !hasCamera(theSetUp()) || (isFound && isOfferKnown)) return;
    const told = await get("/calibration").catch(() => null);
    setText(why, isFound ? "" : sentence(told?.said));
    if (!told) return;
    isOfferKnown = isFound;
    offer.hidden = !(isFound && told.profile?.is_drawn);
  }

  function hasCamera({ source }) {
    return source?.has_camera !== false;
  }

  function row(step, key, text, cars = [], name = step) {
    return button(`change-${name}`, [
      h("span", { class: "row-what" }, say(key)), h("span", { class: "row-choice" }, h("strong", {}, text), cars.length ? h("span", { class: "cars" }, cars) : null), h("span", { class: "row-change", "aria-hidden": "true" }, "›"),
    ], () => go(step), { class: "option row" });
  }
}
