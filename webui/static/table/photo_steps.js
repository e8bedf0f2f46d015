// After a photo: what is left in front of the players, and who is who, before the tickets. Doubts come first, as questions.

import { address, post } from "../shared/api.js";
import { button, car, fill, h, pictureIfThere } from "../shared/dom.js";
import { nameOf, pieceKeys, spotName } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { openSpot } from "../shared/route_sheets.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { mayChange, me, now, watch } from "../shared/state.js";
import { say, sayCount, withWords } from "../shared/words.js";
import { whenAtRest } from "./motion.js";
import { openSeats } from "./people.js";
import { showTab } from "./tabs.js";

const isNameless = (player) => !player.name || player.name === player.colour;
let isNamed = false; // whether this phone goes on though somebody has no name

/** Show what is owed of a photo until the tickets are. */
export function showPhotoSteps(place) {
  const draw = () => {
    const step = owed();
    place.hidden = !step;
    document.body.classList.toggle("is-read", step !== null);
    fill(place, step?.());
  };
  watch((state, you) => [state.players, state.questions.length, state.game, state.phase, state.spots, you], () => whenAtRest(draw));
  addEventListener("photo-step", draw);
}

function owed() {
  const { game, questions, players, phase } = now();
  if (game.origin !== "photo" || phase !== "show_tickets") return null;
  if (!mayChange()) return me().has_joined ? whoIsWho : null; // a seat first: then what is in doubt can be said
  if (questions.length) return anotherPhoto;
  if (!game.stocks_confirmed) return stocks;
  return players.some(isNameless) && !isNamed ? whoIsWho : null;
}

const step = (title, ...parts) => h("section", { class: "card ending", "aria-labelledby": "step-title" }, h("h2", { id: "step-title" }, title), parts);
const photoLink = () => h("a", { class: "button wide quiet", href: "/photo" }, say("photo.another"));

function anotherPhoto() {
  return h("section", { class: "card" }, h("p", {}, say("photo.another_text")), photoLink());
}

function stocks() {
  const line = (player) => h("li", { class: "line" }, car(paintOf(player.colour)), h("span", {}, nameOf(player)),
    h("span", { class: "sum" }, sayCount(pieceKeys().left, Math.max(0, player.trains_left)), now().game.has_stations ? [", ", sayCount("left.station", player.stations_left)] : null));
  return step(say("photo.stocks_title"), h("p", {}, say("photo.stocks_text")), h("ul", { class: "plain" }, now().players.map(line)),
    button("differs", say("photo.differs"), openDiffering, { class: "wide" }), photoLink(),
    h("div", { class: "foot" }, button("fits", say("photo.fits"), () => attempt(() => post("/stocks")), { class: "primary wide" })));
}

/** A number that differs: whose, then that colour's pieces, the least sure first. */
function openDiffering() {
  const sheet = openSheet(say("photo.whose"), () => h("div", { class: "choices" }, now().players.map((player) =>
    button(`differs-${player.seat}`, [car(paintOf(player.colour)), h("span", {}, nameOf(player))], () => (sheet.close(), openPieces(player)), { class: "choice" }))));
}

function openPieces({ colour }) {
  openSheet(say("photo.pieces_title"), () => {
    const held = Object.entries(now().spots).filter(([, at]) => at.colour === colour).sort(([, a], [, b]) => a.sure - b.sure);
    return [h("p", { class: "soft" }, say("photo.pieces_text")), h("ul", { class: "plain" }, held.map(piece)),
      button("missing", say("photo.missing"), () => showTab("board"), { class: "wide quiet" })];
  }, { name: "tall", follow: (state) => [state.spots] });
}

function piece([spot, { event }]) {
  return h("li", {}, button(`piece-${spot}`, [event ? pictureIfThere({ class: "proof", alt: "", loading: "lazy", src: address(`/log/${event}/crop.jpg`) }) : null, h("span", {}, spotName(spot))], () => openSpot(spot), { class: "wide piece" }));
}

function whoIsWho() {
  const name = async (player) => (await withWords("seats", import("./seats.js"))).openName(player.seat);
  const line = (player) => h("li", { class: "line" }, car(paintOf(player.colour)), h("span", {}, nameOf(player)),
    isNameless(player) && mayChange() ? button(`name-${player.seat}`, say("photo.name"), () => attempt(() => name(player)), { "aria-label": say("photo.who_is", { colour: nameOf(player) }) }) : null);
  const goOn = () => ((isNamed = true), dispatchEvent(new Event("photo-step")));
  const isToSit = me().has_joined && !me().seat;
  return step(say("photo.who_title"), h("p", {}, say("photo.who_text")), h("ul", { class: "plain" }, now().players.map(line)),
    me().is_host ? button("invite-others", say("join.invite"), () => showTab("table"), { class: "wide quiet" }) : null,
    mayChange() ? button("tickets-now", say("photo.tickets_now"), goOn, { class: "wide quiet" }) : null,
    isToSit ? h("div", { class: "foot" }, button("sit", say("photo.sit"), openSeats, { class: "primary wide" })) : null);
}
