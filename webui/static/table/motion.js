// What moves, and when. What glides: rows to their new places, numbers to their new values. Nothing where people asked for rest.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const GLIDE_MS = 450;
const COUNT_MS = 700;

export const isStill = () => still.matches || document.hidden;
/** Tell whether somebody asked for rest, whatever the page is doing. */
export const isCalm = () => still.matches;

/** Let elements glide from where they were to where `change` puts them. */
export function glide(elements, change) {
  if (isStill()) return change();
  const before = new Map(elements().map((element) => [element, element.getBoundingClientRect().top]));
  change();
  for (const element of elements()) {
    const was = before.get(element);
    const by = was === undefined ? 0 : was - element.getBoundingClientRect().top;
    if (by) element.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: GLIDE_MS, easing: "cubic-bezier(.2, .8, .2, 1)" });
  }
}

const counting = new WeakMap();

/** Let the number in an element count to its new value. */
export function countTo(element, to, format = String, durationMs = COUNT_MS) {
  const from = counting.get(element)?.at ?? Number(element.dataset.value ?? to);
  cancelAnimationFrame(counting.get(element)?.frame);
  element.dataset.value = to;
  if (from === to || isStill()) {
    counting.delete(element);
    element.textContent = format(to);
    return Promise.resolve();
  }
  return new Promise((done) => {
    const start = performance.now();
    const step = (time) => {
      const part = Math.min(1, Math.max(0, (time - start) / durationMs));
      const at = Math.round(from + (to - from) * (1 - (1 - part) ** 3));
      element.textContent = format(at);
      if (part < 1) return counting.set(element, { at, frame: requestAnimationFrame(step) });
      counting.delete(element);
      return done();
    };
    counting.set(element, { at: from, frame: requestAnimationFrame(step) });
  });
}

export function pause(ms) {
  return new Promise((go) => setTimeout(go, ms));
}

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
