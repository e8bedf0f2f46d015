// A game once more: a slider over everything that happened, and a button that plays it.

import { car, fill, h, icon } from "../shared/dom.js";
import { colourOfFact, eventText } from "../shared/log_words.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { now } from "../shared/state.js";
import { clock, number, say } from "../shared/words.js";

const STEP_MS = 700;

/** Show the slider, at the end of the game; `show(i)` shows the board after event i. */
export function showReplay(place, moments, show) {
  const last = moments.length - 1;
  let timer = null;
  const what = h("p", { class: "replay-what" });
  const scores = h("ul", { class: "replay-scores plain" });
  const slider = h("input", { type: "range", class: "replay-slider", min: 0, max: last, value: last, "data-key": "slider", "aria-label": say("history.slider"), on: { input: () => (stop(), put(Number(slider.value))) } });
  const button = h("button", { type: "button", class: "primary", "data-key": "play", on: { click: () => (timer ? stop() : play()) } });
  const steps = [-1, 1].map((by) => h("button", { type: "button", "data-key": by < 0 ? "back" : "on", "aria-label": by < 0 ? say("history.step_back") : say("history.step_on"), on: { click: () => (stop(), go(Number(slider.value) + by)) } }, by < 0 ? "‹" : "›"));

  function put(i) {
    show(i);
    const text = eventText(moments[i]);
    const at = clock(moments[i].at_s);
    const colour = colourOfFact(moments[i].fact);
    slider.setAttribute("aria-valuetext", say("history.moment", { n: number(i + 1), of: number(moments.length), what: text, at }));
    fill(what, colour ? car(paintOf(colour)) : null, h("span", {}, text), h("span", { class: "soft" }, at));
    fill(scores, now().players.map((player) => h("li", { class: "chip", "data-seat": player.seat }, car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("strong", { class: "sum" }, number(player.points)))));
  }

  function go(i) {
    slider.value = Math.min(last, Math.max(0, i));
    put(Number(slider.value));
  }

  function play() {
    if (Number(slider.value) === last) go(0);
    timer = setInterval(() => {
      go(Number(slider.value) + 1);
      if (Number(slider.value) === last) stop();
    }, STEP_MS);
    label();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    label();
  }

  function label() {
    fill(button, icon(timer ? "pause" : "play"), timer ? say("history.pause") : say("history.play"));
  }

  label();
  fill(place, what, slider, h("div", { class: "replay-buttons" }, button, steps), scores);
  put(last);
  return { go: (i) => (stop(), go(i)) };
}
