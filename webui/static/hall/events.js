// What happened at a table, in a sentence for each kind of event.

import { nameOf } from "../shared/names.js";
import { colourWord, say } from "../shared/words.js";

const CLAIMED = ["route_claimed", "station_built", "site_claimed"];
const FREED = ["claim_withdrawn", "station_withdrawn", "site_withdrawn"];
const CORRECTED = ["claim_corrected", "station_corrected", "site_corrected"];
const PLAIN = {
  game_started: "log.game_started",
  game_paused: "log.paused",
  game_resumed: "log.resumed",
  game_packed_away: "log.packed_away",
  game_ended: "log.ended",
  points_counted: "log.counted",
  undone: "log.undone_early",
  redone: "log.redone_early",
};

/** Return what to say of an event of a table; the empty text where there is nothing to say. */
export function eventText(event, table) {
  const { kind, what, colour, seat } = event;
  if (kind in PLAIN) return say(PLAIN[kind]);
  if (CLAIMED.includes(kind)) return say("log.route_claimed", { who: whoPlays(table, colour), what });
  if (FREED.includes(kind)) return say("log.free", { what });
  if (CORRECTED.includes(kind)) return event.now ? say("log.corrected", { who: whoPlays(table, event.now), what }) : say("log.corrected_free", { what });
  if (kind === "player_left") return say("log.left", { name: whoSits(table, seat) });
  if (kind === "last_turns_begun") return say("log.last_turns", { name: whoSits(table, seat) });
  return "";
}

function whoPlays(table, colour) {
  const player = table.players.find((one) => one.colour === colour);
  return player ? nameOf(player) : colourWord(colour ?? "");
}

function whoSits(table, seat) {
  const player = table.players.find((one) => one.seat === seat);
  return player ? nameOf(player) : seat;
}
