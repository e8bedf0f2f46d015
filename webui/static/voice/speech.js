// The browser's speech: one sentence after the other, none of them stale, none that came too late.

const LATE_MS = 12000; // what has waited longer is no news any more
const START_MS = 5000; // a speech that has not begun by then never does: browsers forget some
const LETTER_MS = 150; // twice as slow as anybody speaks

const language = document.documentElement.lang;
const waiting = new Map(); // by what it is about, in the order of its coming
let speaking = null;

/** Tell whether this browser can speak at all. */
export const canSpeak = () => "speechSynthesis" in window;

/**
 * Say something as soon as it is quiet. `text()` is asked when its turn has come, so that it tells
 * what is so then, or nothing. What is being said about the same thing is broken off.
 */
export function sayAloud(about, text) {
  if (!canSpeak()) return;
  waiting.set(about, { about, text, since: waiting.get(about)?.since ?? performance.now() });
  if (speaking?.about === about) breakOff();
  else next();
}

/** Say nothing more. */
export function hush() {
  waiting.clear();
  if (speaking) breakOff();
}

/** Say no more about one thing. */
export function sayNoMore(about) {
  waiting.delete(about);
  if (speaking?.about === about) breakOff();
}

function next() {
  if (speaking || !waiting.size || !isAllowed()) return;
  const [first] = waiting.values();
  waiting.delete(first.about);
  const text = first.text(performance.now() - first.since > LATE_MS);
  if (text) speak(first.about, text);
  else next();
}

function speak(about, text) {
  const said = new SpeechSynthesisUtterance(text);
  said.lang = language;
  const voice = voiceHere();
  if (voice) said.voice = voice;
  const mine = { about, said, timer: setTimeout(() => over(mine, true), START_MS) };
  speaking = mine;
  said.addEventListener("start", () => {
    clearTimeout(mine.timer);
    mine.timer = setTimeout(() => over(mine, true), START_MS + text.length * LETTER_MS);
  });
  said.addEventListener("end", () => over(mine));
  said.addEventListener("error", () => over(mine));
  speechSynthesis.speak(said);
}

/** What was said, or could not be, makes room for the next. */
function over(one, isStuck = false) {
  clearTimeout(one.timer);
  if (speaking !== one) return;
  speaking = null;
  if (isStuck) speechSynthesis.cancel();
  next();
}

function breakOff() {
  const one = speaking;
  speechSynthesis.cancel();
  over(one);
}

/** Return a voice of the page's language that this device has itself: others would send what is said over the internet. */
function voiceHere() {
  return voicesHere().find((voice) => voice.default) ?? voicesHere()[0] ?? null;
}

const speaks = (voice) => voice.lang.slice(0, 2).toLowerCase() === language.slice(0, 2);
const voicesHere = () => speechSynthesis.getVoices().filter((voice) => voice.localService && speaks(voice));

/** Tell whether the device's own voices speak the page's language; a browser that has not listed them yet may. */
export function hasVoice() {
  return canSpeak() && (!speechSynthesis.getVoices().length || voicesHere().length > 0);
}

/** Browsers let a page speak only after somebody has touched it; without a voice of its own this device is silent. */
const isAllowed = () => hasVoice() && isTouched();
export const isTouched = () => navigator.userActivation?.hasBeenActive ?? true;

if (canSpeak()) {
  for (const type of ["pointerup", "keyup"]) addEventListener(type, () => setTimeout(next), { passive: true });
  speechSynthesis.addEventListener?.("voiceschanged", next);
}
