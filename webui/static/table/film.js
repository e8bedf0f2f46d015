// The seconds before and after a claim, as pictures one after the other.

import { get, post } from "../shared/api.js";
import { button, fill, h, icon } from "../shared/dom.js";
import { spotName, spotParts } from "../shared/names.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { number, say } from "../shared/words.js";
import { figure } from "./spot_picture.js";

const STEP_MS = 600; // about three times as slow as it was

/** Open the film of an event. */
export async function openFilm(seq, spot) {
  const film = await attempt(() => get(`/log/${seq}/film`));
  if (!film) return;
  const [kind, about] = spotParts(spot);
  const parts = filmParts(film, (crop) => figure([{ crop, shown_mm: film.shown_mm, kind, about }], say("film.picture", { spot: spotName(spot) })), "primary");
  const keep = () => attempt(() => post(`/log/${seq}/film/keep`), say("film.kept"));
  openSheet(spotName(spot), () => [parts.all, h("p", { class: "soft" }, say("film.text")), button("keep", say("film.keep"), keep, { class: "wide" })], { name: "tall", onClose: parts.stop });
}

const pictureOf = (text) => URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], { type: "image/jpeg" }));

/** Return a film under what `show(picture)` makes of its first one, and `stop()`, which ends it. */
export function filmParts(film, show, look = null) {
  const pictures = film.pictures.map(pictureOf);
  const forget = () => pictures.forEach((picture) => URL.revokeObjectURL(picture));
  if (!pictures.length) return { all: [], stop: forget };
  const shown = show(pictures[0]);
  const picture = shown.querySelector("img");
  const last = pictures.length - 1;
  if (last < 1) return { all: [shown], stop: forget };
  let timer = null;
  const when = h("p", { class: "soft film-when" });
  const slider = h("input", { type: "range", class: "film-slider", min: 0, max: last, value: 0, "data-key": "film-slider", "aria-label": say("film.slider"), on: { input: () => (stop(), put(Number(slider.value))) } });
  const playing = button("film-play", null, () => (timer ? stop() : play()), { class: look });
  const step = (key, sign, name, by) => button(key, sign, () => (stop(), go(by)), { "aria-label": name });

  function put(i) {
    picture.src = pictures[i];
    const s = film.after_s[i];
    const text = say(s < 0 ? "film.before" : "film.after", { s: number(Math.abs(s)) });
    slider.value = i;
    slider.setAttribute("aria-valuetext", text);
    when.textContent = text;
  }

  const go = (by) => put(Math.min(last, Math.max(0, Number(slider.value) + by)));

  function play() {
    if (Number(slider.value) === last) put(0);
    timer = setInterval(() => (go(1), Number(slider.value) === last && stop()), STEP_MS);
    label();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    label();
  }

  const label = () => fill(playing, icon(timer ? "pause" : "play"), timer ? say("history.pause") : say("history.play"));
  label();
  put(0);
  const steps = [step("film-back", "‹", say("history.step_back"), -1), step("film-on", "›", say("history.step_on"), 1)];
  return { all: [shown, when, slider, h("div", { class: "film-buttons" }, playing, steps)], stop: () => (stop(), forget()) };
}
