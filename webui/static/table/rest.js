// Half a second after a touch nothing moves: what comes then would lie under the finger that taps next.

const REST_MS = 500;
const waiting = new Set();
let restsUntil = 0;

for (const type of ["pointerdown", "pointerup"]) addEventListener(type, () => (restsUntil = performance.now() + REST_MS), { capture: true, passive: true });

/** Do something that moves what is on the page: now, or as soon as no finger is about to tap. */
export function whenAtRest(act) {
  const left = restsUntil - performance.now();
  if (left <= 0) return void act();
  if (waiting.has(act)) return;
  waiting.add(act);
  setTimeout(() => {
    waiting.delete(act);
    whenAtRest(act);
  }, left);
}
