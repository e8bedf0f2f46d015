// Asking the table: one key or one tap a question. The answer is read by a screen reader, spoken where that is wished, and shown large.

import { button, fill, h } from "../shared/dom.js";
import { matching } from "../shared/search.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { theBoard } from "../shared/state.js";
import { plain, say, sayCount } from "../shared/words.js";
import { setting } from "../table/sounds.js";
import { questions, routesFrom } from "./answers.js";
import { hasVoice, sayAloud, sayNoMore } from "./speech.js";

const isAloud = setting("answers-aloud");
const hasKeys = matchMedia("(any-pointer: fine)");

/** Open the sheet; where there is a keyboard, whoever opens it can type at once. */
export function openAsk() {
  const answer = h("div", { class: "answer", role: "status" });
  const found = h("ul", { class: "plain results" });
  const city = h("input", { type: "search", id: "ask-city", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search", "data-key": "ask-city", "aria-describedby": "ask-keys" });
  const asked = questions();
  let newest = 0; // an answer that comes after that of a later question is none any more

  /** Show an answer, and the cities of which one is to be chosen. */
  async function show(ask, cities = []) {
    fill(found, cities.map((place) => h("li", {}, button(`city-${place.id}`, place.name, () => choose(place), { class: "result" }))));
    const mine = ++newest;
    const sentences = (await attempt(ask))?.filter(Boolean);
    if (!sentences || mine !== newest) return;
    // One of the two says it: where this device speaks, a screen reader is not told as well.
    answer.setAttribute("aria-live", speaksHere() ? "off" : "polite");
    fill(answer, sentences.map((text) => h("p", {}, text)));
    if (speaksHere()) sayAloud("answer", () => sentences.join(" "));
  }

  const choose = (place) => show(() => routesFrom(place.id));

  function search(event) {
    event.preventDefault();
    const cities = citiesLike(city.value);
    if (cities.length === 1) choose(cities[0]);
    else show(() => [cities.length ? sayCount("ask.which", cities.length) : say("ask.no_city")], cities);
  }

  const sheet = openSheet(say("ask.title"), () => [
    h("form", { class: "stack", on: { submit: search } },
      h("label", { for: "ask-city" }, say("ask.city")),
      h("div", { class: "inline-row" }, city, h("button", { type: "submit", "data-key": "ask-routes" }, say("ask.routes")))),
    answer,
    found,
    h("div", { class: "stack" }, asked.map(([text, ask], i) => button(`ask-${i + 1}`, [h("kbd", {}, String(i + 1)), h("span", {}, text)], () => show(ask), { class: "wide asked" }))),
    h("p", { id: "ask-keys", class: "soft" }, say("ask.keys", { n: asked.length })),
    hasVoice() ? aloudChoice() : null,
  ], { name: "tall ask", onClose: () => sayNoMore("answer") });
  sheet.dialog.addEventListener("keydown", (event) => {
    const question = asked[Number(event.key) - 1];
    if (!question || event.ctrlKey || event.altKey || event.metaKey || city.value) return;
    event.preventDefault();
    show(question[1]);
  });
  if (hasKeys.matches) city.focus();
}

const speaksHere = () => isAloud.get() && hasVoice();

function aloudChoice() {
  const box = h("input", { type: "checkbox", role: "switch", id: "answers-aloud", "data-key": "answers-aloud", on: { change: () => (isAloud.set(box.checked), sayNoMore("answer")) } });
  box.checked = isAloud.get();
  return [h("label", { class: "switch", for: "answers-aloud" }, h("span", {}, say("ask.aloud")), box), h("p", { class: "soft" }, say("voice.overheard"))];
}

/** Return the places that are meant by a few letters: the one that is named in full, or all that are found. */
function citiesLike(typed) {
  const places = plain(typed).trim() ? matching(theBoard().places, typed, ({ name }) => [name]) : [];
  const same = places.filter(({ name }) => plain(name) === plain(typed).trim());
  return same.length ? same : places;
}
