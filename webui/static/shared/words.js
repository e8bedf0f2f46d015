// Every word of the page comes from one catalogue, which the page carries in itself; numbers and lists are written as its
// language writes them, times also as the phone's region does.

const catalogue = JSON.parse(document.getElementById("words").textContent);
const language = document.documentElement.lang;
const plural = new Intl.PluralRules(language);
// In the page's language as the phone's region writes it: English on a phone in Germany has a clock of 24 hours.
const local = new Intl.Locale(language, { region: new Intl.Locale(navigator.language).region });

const learned = new Map();

/** Take in the words that only a part of the page says, which few open. */
export function learn(part) {
  if (!learned.has(part)) learned.set(part, fetchWords(part).catch((error) => (learned.delete(part), Promise.reject(error))));
  return learned.get(part);
}

async function fetchWords(part) {
  const response = await fetch(`/words/${part}`);
  if (!response.ok) throw new Error();
  Object.assign(catalogue, await response.json());
}

/** Return the script of a part, which is on its way, as soon as its words are there too. */
export async function withWords(part, script) {
  const [module] = await Promise.all([script, learn(part)]);
  return module;
}

/** Return the text of a key, its {named} places filled in. */
export function say(key, values = {}) {
  const text = catalogue[key];
  if (text === undefined) throw new Error(`no word for ${key}`);
  return text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

/** Return the text for so many of something: KEY.one, KEY.other, as the language counts. */
export function sayCount(key, n, values = {}) {
  const form = `${key}.${plural.select(n)}`;
  return say(form in catalogue ? form : `${key}.other`, { n: number(n), ...values });
}

export function number(n) {
  return n.toLocaleString(language).replace("-", "−");
}

/** Return the length of a player's longest path: where it may be longer, "at least" so much. */
export function pathLength(player) {
  const isExact = !(player.longest_path_at_most > player.longest_path);
  return isExact ? number(player.longest_path) : say("path.at_least", { n: number(player.longest_path) });
}

export function signed(n) {
  return n > 0 ? `+${number(n)}` : number(n);
}

export function clock(atS) {
  return new Date(atS * 1000).toLocaleTimeString(local, { hour: "2-digit", minute: "2-digit" });
}

/** Return the day of a moment. */
export function day(atS) {
  return new Date(atS * 1000).toLocaleDateString(local, { dateStyle: "medium" });
}

/** Return the day and the time of a moment. */
export function dayAndTime(atS) {
  return new Date(atS * 1000).toLocaleString(local, { dateStyle: "medium", timeStyle: "short" });
}

/** Return how long ago a moment is, in minutes or hours. */
export function ago(atS) {
  const minutes = Math.max(0, Math.round((Date.now() / 1000 - atS) / 60));
  const format = new Intl.RelativeTimeFormat(language);
  return minutes < 60 ? format.format(-minutes, "minute") : format.format(-Math.round(minutes / 60), "hour");
}

/** Return texts as a list with "and", or with "or" for a `disjunction`. */
export function list(texts, type = "conjunction") {
  return new Intl.ListFormat(language, { type }).format(texts);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Return a name so that what stands around it keeps its order, whichever way the name's letters run. */
export const isolated = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** Return a text without what a thumb does not type: capitals, accents, dots. */
export function plain(text) {
  return text.normalize("NFD").replace(/[\u0300-\u036f.]/g, "").toLowerCase();
}

export function capital(text) {
  return text.slice(0, 1).toLocaleUpperCase(language) + text.slice(1);
}

/** Return a text as a sentence: the program's own begin small and have no full stop. */
export function sentence(text) {
  if (!text) return "";
  const whole = capital(text);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

const COLOURS = {
  black: "colour.black",
  blue: "colour.blue",
  green: "colour.green",
  grey: "colour.grey",
  orange: "colour.orange",
  pink: "colour.pink",
  purple: "colour.purple",
  red: "colour.red",
  white: "colour.white",
  yellow: "colour.yellow",
};

export function colourWord(colour) {
  return colour in COLOURS ? say(COLOURS[colour]) : colour;
}

const MODES = { B: "mode.bus", N: "mode.norristown", R: "mode.regional", S: "mode.subway", T: "mode.trolley" };

/** Return the name of a means of transport (Philly's), with the letter that is printed for it. */
export function modeWord(letter) {
  return letter in MODES ? `${say(MODES[letter])} (${letter})` : letter;
}
