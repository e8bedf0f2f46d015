// The table at rest: the code for phones, the last winners, records. While a game runs, the code alone in a corner.

import { get } from "../shared/api.js";
import { car, codePicture, fill, fillAnew, h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { stayAwake } from "../shared/phone.js";
import { watch } from "../shared/state.js";
import { day, list, number, say, sayCount } from "../shared/words.js";

const MOST_WINNERS = 3;
const RECORDS = [["most_points", "screen.most_points"], ["longest_path", "screen.longest_path"]];
const none = () => null; // in a cafe guests see no past games, and the host may keep the code from screens

/** Show it; return what keeps it true while `phase` says what goes on. */
export async function showRest(place) {
  document.body.classList.remove("rs-told");
  document.body.classList.add("rs-resting");
  const [title, code, past] = ["rs-part rs-rest-title", "rs-part rs-code", "rs-part rs-past"].map((name) => h("section", { class: name }));
  fill(place, code, title, past, h("p", { class: "rs-part rs-foot" }, say("screen.unwatched")));
  stayAwake();
  return async (phase) => {
    const [invited, games] = await Promise.all([get("/invitation").catch(none), get("/games").catch(none)]);
    const key = phase === "home" ? "screen.scan" : phase === "set_up" ? "screen.setting_up" : "set_up.beginning";
    fillAnew(title, [key, Boolean(invited)], () => [h("h2", {}, say(key)), invited && !invited.is_local ? h("p", { class: "rs-reason" }, say("screen.any_phone")) : null]);
    fillAnew(code, [invited], () => (invited ? codeOf(invited) : null));
    fillAnew(past, [games], () => (games ? [winners(games), records(games)] : null));
    document.body.classList.toggle("rs-codeless", !invited);
  };
}

/** Show the code in the corner of a game's screen, where it is let. */
export async function showCorner(place) {
  const invited = await get("/invitation");
  if (invited.is_local) return;
  const words = h("p", {});
  place.append(h("section", { class: "rs-part rs-corner" }, codePicture(invited.join.svg, say("join.code")), words));
  document.body.classList.add("rs-with-code");
  watch((state) => [state.phase === "show_tickets"], ([isAwaited]) => {
    fill(words, h("strong", {}, say(isAwaited ? "screen.late" : "screen.join")), " ", say(isAwaited ? "screen.late_text" : "screen.own_tickets"));
  });
}

function codeOf({ join, named, word, is_local: isLocal }) {
  if (isLocal) return h("p", { class: "rs-reason" }, say("cards.share_here"));
  const [address] = join.url.split("#");
  return [codePicture(join.svg, say("join.code")),
    h("p", { class: "rs-address" }, named ?? address),
    named ? h("p", { class: "rs-reason" }, address) : null,
    h("p", { class: "rs-reason" }, say("screen.word"), " ", h("strong", { class: "rs-word" }, word))];
}

function winners({ games }) {
  const won = games.filter((game) => game.ended && game.players.some((player) => player.is_winner)).slice(0, MOST_WINNERS);
  if (!won.length) return null;
  return h("div", { class: "card" }, h("h2", {}, say("screen.winners")), h("ol", { class: "plain" }, won.map((game) => {
    const best = game.players.filter((player) => player.is_winner);
    return h("li", { class: "rs-won" }, h("span", { class: "rs-car" }, car(paintOf(best[0].colour))),
      h("span", {}, h("strong", {}, say("screen.won", { name: list(best.map(nameOf)), points: sayCount("count.points", best[0].points) })), h("small", {}, say("screen.won_at", { edition: game.title, day: day(game.began_at_s) }))));
  })));
}

function records({ bests }) {
  if (!bests.length) return null;
  const tile = (n, text) => h("div", { class: "card" }, h("strong", {}, number(n)), h("span", {}, text));
  const highest = (name) => bests.map((edition) => edition[name]).filter(Boolean).sort((a, b) => b.value - a.value)[0];
  return h("div", { class: "rs-records" }, tile(bests.reduce((sum, edition) => sum + edition.games, 0), say("screen.games")),
    RECORDS.map(([name, key]) => [highest(name), key]).filter(([best]) => best).map(([best, key]) => tile(best.value, say(key, { name: best.name }))));
}
