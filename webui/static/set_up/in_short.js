// What was chosen, in a few words.

import { said } from "../shared/said.js";
import { colourWord, say, sayCount } from "../shared/words.js";

const KINDS = { phone: "set_up.phone", demo: "set_up.demo" };
const SHORT_KINDS = { ...KINDS, demo: "set_up.demo_short" };
export const isCamera = (given) => /^(\d+|pi)$/.test(given);

export const gameInShort = ({ edition }) => edition?.title ?? "";

export function playersInShort({ players }) {
  return players.length ? sayCount("set_up.players_n", players.length) : "";
}

export const sourceInShort = (view) => sourceIn(SHORT_KINDS, view);
export const sourceInFull = (view) => sourceIn(KINDS, view);

function sourceIn(kinds, { source, cameras }) {
  if (!source) return "";
  const { given } = source;
  if (given in kinds) return say(kinds[given]);
  if (isCamera(given)) return cameras.find((camera) => camera.source === given)?.about ?? say("set_up.camera_n", { n: given });
  return say("set_up.address");
}

export function boardInShort({ step }) {
  return step === "ready" ? say("set_up.found") : "";
}

/** Return the game that goes on, null for a new one. */
export const goingOn = ({ game, games }) => (game ? games.find((one) => one.id === game) ?? { id: game, name: "", title: "" } : null);

/** Return a player's name; who has none is called by the colour. */
export function nameOf(player) {
  return player.name && player.name !== player.colour ? player.name : colourWord(player.colour);
}

/** Return what is wrong at a step, in the reader's language. */
export function faultsAt({ faults }, step) {
  return faults.filter((fault) => fault.step === step).map((fault) => said(fault.said.replace(/\.$/, "")));
}
