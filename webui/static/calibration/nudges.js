// Moves that are not saved yet, those that were, and how they are sent: one after the other.

import { get, put, remove } from "../table/api.js";
import { act } from "./tell.js";

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

  async function load() {
    const answer = await act(() => get(`/calibration/spaces?number=${picture}`));
    if (!answer) return;
    spaces = answer.spaces;
    routes = answer.routes;
    kept = answer.nudges_mm;
    sent.clear();
    onChange();
  }

  function send({ isUndo = false } = {}) {
    clearTimeout(timer);
    const moves = [...pending];
    pending.clear();
    for (const [key, by] of moves) add(sent, key, by);
    queue = queue.then(async () => {
      for (const [key, by] of moves) {
        if (!by[0] && !by[1]) continue;
        const view = await act(() => put("/calibration/nudges", { key, dxy_mm: by }), told);
        if (view && !isUndo) steps.push({ key, by });
      }
      await load();
    });
    return queue;
  }

  return {
    load,
    spaces: () => spaces,
    routes: () => routes,
    canUndo: () => steps.length > 0 || pending.size > 0,
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
      send().then(() => {
        const last = steps.pop();
        if (!last) return null;
        add(pending, last.key, last.by.map((by) => -by));
        return send({ isUndo: true });
      });
    },
    takeBack(key) {
      send().then(async () => {
        const before = key ? kept[key] : null;
        const view = await act(() => remove("/calibration/nudges", key ? { key } : {}), told);
        if (view && before) steps.push({ key, by: before.map((by) => -by) });
        if (view && !key) steps.length = 0;
        await load();
      });
    },
    /** Send what waits; for who leaves. */
    flush: () => (pending.size ? send() : queue),
  };
}
