// The moments of a game, made of where it began and of what every event changed.

import { merged } from "../shared/state.js";

/** Return for every event what it was, and all that everyone saw then: `players` and `spots`. */
export function momentsOf({ start, moments }) {
  let seen = start;
  return moments.map(({ change, ...event }) => {
    seen = merged(seen, change);
    return { ...event, ...seen };
  });
}
