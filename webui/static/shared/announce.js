// One polite voice for screen readers: what happened, not every number that moved.

const QUIET_MS = 700;

let waiting = [];
let timer = null;

/** Say something when it has been quiet for a moment; what came together is said together. */
export function announce(text) {
  if (!text || waiting.includes(text)) return;
  waiting = [...waiting, text].slice(-3);
  clearTimeout(timer);
  timer = setTimeout(() => {
    document.getElementById("said").textContent = waiting.join(" ");
    waiting = [];
  }, QUIET_MS);
}
