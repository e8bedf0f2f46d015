// Moves that are not saved yet, those that were, and how they are sent: one after the other.

import { get, put, remove } from "../shared/api.js";
import { act } from "./desk.js";

const REST_MS = 400; // steps that follow each other so closely are saved as one

/** Keep the moves of the spaces in one picture; `onChange()` hears that something is another. */
export function nudgesIn(picture, { onChange, told }) {
  let spaces = [];
  let routes = [];
  let kept = {}; // as the server has them: key to [dx, dy] in mm
  const pending = new Map(); // not sent yet
  const sent = new Map(); // sent, and not in `spaces` yet
  const steps = []; // what can be undone: {key, by}
  let timer = null;
  let queue = Promise.resolve();

  const add = (map, key, [dx, dy]) => {
    const [x, y] = map.get(key) ?? [0, 0];
    map.set(key, [x + dx, y + dy]);
  };

  /** Ask for the spaces as they are now, with the moves that just came there. */
  async function load(moves = []) {
    const answer = await act(() => get(`/calibration/spaces?number=${picture}`));
    // What was sent later is not among them yet.
    for (const [key, by] of moves) {
      add(sent, key, by.map((side) => -side));
      if (!sent.get(key).some(Boolean)) sent.delete(key);
    }
    if (answer) {
      spaces = answer.spaces;
      routes = answer.routes;
      kept = answer.nudges_mm;
    }
    onChange();
  }

  const move = (key, dxy_mm) => act(() => put("/calibration/nudges", { key, dxy_mm }), told);

  /** Do something after all that was to be done before. */
  function then(next) {
    queue = queue.then(next);
    return queue;
  }

  function send() {
    clearTimeout(timer);
    const moves = [...pending];
    pending.clear();
    if (!moves.length) return queue;
    for (const [key, by] of moves) add(sent, key, by);
    return then(async () => {
      for (const [key, by] of moves) {
        if (!by[0] && !by[1]) continue;
        if (await move(key, by)) steps.push({ key, by });
      }
      await load(moves);
    });
  }

  return {
    load,
    spaces: () => spaces,
    routes: () => routes,
    canUndo: () => steps.length > 0 || pending.size > 0 || sent.size > 0,
    count: () => Object.keys(kept).length,
    /** Return how far a key was moved in all, in mm. */
    of(key) {
      const parts = [kept[key], sent.get(key), pending.get(key)].filter(Boolean);
      return parts.reduce(([x, y], [dx, dy]) => [x + dx, y + dy], [0, 0]);
    },
    /** Return how far a space is to be drawn from where the server had it, in mm. */
    ahead(space) {
      const parts = [space.key, space.route].flatMap((key) => [sent.get(key), pending.get(key)]).filter(Boolean);
      return parts.reduce(([x, y], [dx, dy]) => [x + dx, y + dy], [0, 0]);
    },
    move(key, by, { isDone = false } = {}) {
      add(pending, key, by);
      clearTimeout(timer);
      if (isDone) send();
      else timer = setTimeout(send, REST_MS);
      onChange();
    },
    undo() {
      send();
      then(async () => {
        const last = steps.pop();
        if (last) await move(last.key, last.by.map((by) => -by));
        await load();
      });
    },
    takeBack(key) {
      send();
      then(async () => {
        const before = key ? kept[key] : null;
        const view = await act(() => remove("/calibration/nudges", key ? { key } : {}), told);
        if (view && before) steps.push({ key, by: before.map((by) => -by) });
        if (view && !key) steps.length = 0;
        await load();
      });
    },
    /** Send what waits, and wait until all is done; for who leaves. */
    flush: () => send(),
  };
}
