// The page of The Card Game: everything is put together here.

import { post } from "../shared/api.js";
import { button, fill, h } from "../shared/dom.js";
import { comeInByLink } from "../shared/hosts.js";
import { toast } from "../shared/sheets.js";
import { dayAndTime, say } from "../shared/words.js";
import { loadDeck } from "./deck.js";
import { attempt } from "./faults.js";
import { forgetGame, keepGame, openGame, theGame } from "./game.js";
import { showGame } from "./game_view.js";
import { showHome } from "./home.js";
import { DELETED } from "./look.js";
import { openPlay, thePlay } from "./played.js";
import { showPlay } from "./played_view.js";

const LINK = /^#(game|play)=([0-9a-f]{32})$/;
const view = document.getElementById("view");

start();

async function start() {
  addEventListener("hashchange", () => location.reload());
  await comeInByLink();
  await attempt(loadDeck);
  const [, kind, id] = LINK.exec(location.hash) ?? [];
  if (!id || !(await shown(id, kind))) await showHome(view, open);
  document.body.dataset.ready = "yes";
}

/** Open a game; its link stands in the address, so that a reload finds it. */
function open(id, kind = "game") {
  location.hash = `${kind}=${id}`;
}

async function shown(id, kind) {
  try {
    await (kind === "play" ? openPlay(id, () => showPlay(view)) : openGame(id, () => showGame(view)));
  } catch (error) {
    if (error.status === undefined) throw error;
    if (error.status === DELETED) return showDeleted(id, kind, error.body.until_s);
    if (error.status === 404) forgetGame(id);
    toast(error.status === 404 ? say("cards.gone") : error.message, { isTrouble: true });
    return false;
  }
  const { players } = kind === "play" ? thePlay().view : theGame().game;
  keepGame(id, players.map((player) => player.name || player.colour), kind);
  return true;
}

/** Say that a game was deleted, and until when whoever has its link brings it back. */
function showDeleted(id, kind, untilS) {
  const back = async () => (await attempt(() => post(`/${kind === "play" ? "dealt-card-games" : "card-games"}/${id}/bring-back`))) && location.reload();
  fill(view, h("section", { class: "card" }, h("h2", {}, say("cards.deleted_title")), h("p", {}, say("cards.deleted_text", { until: dayAndTime(untilS) })),
    button("bring-back", say("cards.bring_back"), back, { class: "primary wide" }), h("a", { class: "help-link", href: "/card-game" }, say("cards.other_games"))));
  return true;
}
