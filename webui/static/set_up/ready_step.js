// What differs from last time? All that is chosen on one page, filled in, and one button that begins.

import { get } from "../shared/api.js";
import { button, fill, fillAnew, h, setText } from "../shared/dom.js";
import { say, sentence } from "../shared/words.js";
import { choose, theSetUp } from "./choices.js";
import { cardsInFull } from "./computers.js";
import { faultsPlace, gameInFull, gapsPlace, heading, livePicture, showExtras, showGames, sourceInFull } from "./parts.js";
import { whoPlays } from "./who_plays.js";

const LOOK_MS = 2000;

/** Show the summary. */
export function readyStep(place, { go, foot, resume }) {
  const [game, rows] = [h("div", { class: "options" }), h("div", { class: "options" })];
  const who = whoPlays(button("change-players", [say("set_up.change"), " ›"], () => go("players"), { class: "quiet" }));
  const extras = h("div", {});
  const games = h("div", {});
  const gaps = gapsPlace();
  const picture = livePicture();
  const why = h("p", { class: "soft", role: "status" });
  const offer = button("own-photo", say("set_up.own_photo"), () => go("calibration"), { class: "nudge", hidden: true });
  let isOfferKnown = false; // asked for once: the desk of calibrating rests while nobody asks it
  const timer = setInterval(lookWhy, LOOK_MS);
  const places = ["players", "source", "calibration"].map(faultsPlace);
  fill(place, heading("set_up.ready_title", "set_up.ready_text"), places.map((one) => one.place), game, who.place, rows, gaps.place, why, offer, picture.place, extras, games);
  return {
    show(view) {
      for (const one of places) one.show(view);
      fillAnew(game, [view.edition], () => row("edition", "set_up.game", gameInFull(view), null, () => go("edition")));
      who.show(view);
      fillAnew(rows, [sourceInFull(view), view.source, view.step, view.cards, view.players], () => [
        row("source", "set_up.camera", sourceInFull(view), seen(view), () => go("source")),
        view.step === "calibration" ? row("calibration", "set_up.board", say("set_up.looking"), null, () => go("calibration")) : null,
        row("cards", "set_up.cards", cardsInFull(view), null, () => changeCards(view)),
      ]);
      gaps.show(view);
      showExtras(extras, view, go);
      showGames(games, view, resume);
      picture.show(Boolean(view.source?.has_picture));
      foot.next.disabled = !view.may_begin;
    },
    leave: who.saved,
    stop: () => (clearInterval(timer), picture.show(false)),
  };

  /** Say what is known of the board while it is not found, and once it is, what a photo of it would save. */
  async function lookWhy() {
    const isFound = theSetUp().step !== "calibration";
    if (document.hidden || !theSetUp().source?.has_picture || (isFound && isOfferKnown)) return;
    const told = await get("/calibration").catch(() => null);
    setText(why, isFound ? "" : sentence(told?.said));
    if (!told) return;
    isOfferKnown = isFound;
    offer.hidden = !(isFound && told.profile?.is_drawn);
  }

  /** Return what the camera sees, green once it is the board; null where there is none. */
  function seen({ source, step }) {
    if (source?.has_camera === false) return null;
    if (step === "ready") return h("span", { class: "done-text" }, say("set_up.sees_board"));
    return source?.has_picture ? null : h("span", { class: "soft" }, sentence(source?.said));
  }

  /** The one other place, at once; with a computer there is none. */
  function changeCards({ cards, players }) {
    return players.some((player) => player.computer) ? go("players") : choose("cards", { cards: cards === "table" ? "phones" : "table" });
  }

  function row(name, key, text, told, act) {
    return button(`change-${name}`, [
      h("span", { class: "row-what" }, say(key)), h("span", { class: "row-choice" }, h("strong", {}, text), told), h("span", { class: "row-change", "aria-hidden": "true" }, say("set_up.change"), " ›"),
    ], act, { class: "option row" });
  }
}
