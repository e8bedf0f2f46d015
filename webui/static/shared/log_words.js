// What happened, in a sentence for each kind of event.

import { nameOfSeat, paintWords, pinText, routeName, spotName, endsName, who } from "./names.js";
import { now, standing } from "./state.js";
import { colourWord, say, sayCount } from "./words.js";

const spots = { route: "route", place: "station", site: "site" };

/** Return the spot that an event's fact is about, `KIND:ID`; null when it is about none. */
export function spotOfFact(fact) {
  const field = Object.keys(spots).find((name) => name in fact);
  return field ? `${spots[field]}:${fact[field]}` : null;
}

const SENTENCES = {
  game_started: () => say("log.game_started"),
  board_joined: (fact) => sayCount("log.board_joined", ["routes", "stations", "sites"].reduce((sum, kind) => sum + Object.keys(fact[kind] ?? {}).length, 0)),
  route_claimed: (fact) => say("log.route_claimed", { who: who(fact.colour), what: routeName(fact.route) }),
  station_built: (fact) => say("log.station_built", { who: who(fact.colour), what: spotName(`station:${fact.place}`) }),
  site_claimed: (fact) => say("log.site_claimed", { who: who(fact.colour), what: spotName(`site:${fact.site}`) }),
  claim_withdrawn: (fact) => free(fact),
  station_withdrawn: (fact) => free(fact),
  site_withdrawn: (fact) => free(fact),
  claim_corrected: (fact) => corrected(fact),
  station_corrected: (fact) => corrected(fact),
  site_corrected: (fact) => corrected(fact),
  pin_placed: (fact) => say("log.pin", { what: routeName(fact.route) }),
  pin_taken_back: (fact) => say("log.pin", { what: routeName(fact.route) }),
  player_renamed: (fact) => say("log.renamed", { name: fact.name }),
  player_recoloured: (fact) => say("log.recoloured", { name: nameOfSeat(fact.seat), colour: paintWords(fact) }),
  trains_assigned: (fact) => say(fact.colour ? "log.trains_assigned" : "log.trains_nobodys", { colour: colourWord(fact.trains), name: who(fact.colour) }),
  seats_swapped: (fact) => say("log.swapped", { name: nameOfSeat(fact.seat), other: nameOfSeat(fact.other) }),
  player_came_in: (fact) => say("log.came_in", { name: fact.player.name || colourWord(fact.player.colour) }),
  player_left: (fact) => say("log.left", { name: nameOfSeat(fact.seat) }),
  player_handed_over: (fact) => say(fact.computer ? "log.computer_plays_on" : "log.person_plays_on", { name: nameOfSeat(fact.seat) }),
  hand_passed_on: (fact) => say(fact.is_new ? "log.dealt_anew" : fact.by ? "log.vouched" : "log.handed_on", { name: nameOfSeat(fact.seat), by: nameOfSeat(fact.by) }),
  ticket_revealed: (fact) => say("log.revealed", { name: nameOfSeat(fact.seat), ticket: endsName(fact.ticket) }),
  marker_compared: (fact) => say("log.marker", { name: nameOfSeat(fact.seat), said: fact.said }),
  game_marked: (fact) => say(fact.counts ? "log.counts" : "log.counts_not"),
  game_renamed: (fact) => say("log.game_renamed", { name: fact.name }),
  turn_marked: (fact) => say("log.turn", { name: nameOfSeat(fact.seat) }),
  last_turns_begun: (fact) => say("log.last_turns", { name: nameOfSeat(fact.seat) }),
  game_packed_away: () => say("log.packed_away"),
  game_paused: () => say("log.paused"),
  game_resumed: () => say("log.resumed"),
  game_ended: () => say("log.ended"),
  points_counted: () => say("log.counted"),
  undone: (fact) => again(fact, "log.undone", "log.undone_early"),
  redone: (fact) => again(fact, "log.redone", "log.redone_early"),
};

/** Return what to say of an event; the empty text where there is nothing to say. */
export function eventText({ kind, fact }) {
  return SENTENCES[kind]?.(fact) ?? "";
}

/** Return what a claim, by camera or by hand, asks of the accessible edition's player as long as it stands; see `pinText`. */
export function eventPinText({ fact, is_undone: isUndone }, text = pinText) {
  const [spot, colour] = [spotOfFact(fact), fact.colour ?? fact.now];
  return spot && colour && colour !== fact.was && !isUndone && standing(spot) === colour ? text(spot, colour) : "";
}

/** Return the warning of a game that has lost events; the empty text where it has not. */
export function lossText({ lost_events: lost }) {
  return lost ? say("log.lost") : "";
}

function free(fact) {
  return say("log.free", { what: spotName(spotOfFact(fact)) });
}

function corrected(fact) {
  const values = { what: spotName(spotOfFact(fact)), who: who(fact.now) };
  if (!fact.now) return say("log.corrected_free", values);
  return fact.was ? say("log.corrected", values) : say("log.route_claimed", values);
}

function again(fact, key, early) {
  const event = now().log.find((one) => one.seq === fact.event);
  return event ? say(key, { what: eventText(event) }) : say(early);
}

/** Return the colour that an event is about, to show its train car. */
export function colourOfFact(fact) {
  return fact.colour ?? fact.now ?? now().players.find((player) => player.seat === fact.seat)?.colour ?? null;
}
