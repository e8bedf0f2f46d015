// What the program says in English, in the page's language: webui/pages/said.py tells how.

const table = JSON.parse(document.getElementById("said-words")?.textContent ?? "{}");
const PLACE = /\{(\w+)\}/g;
const AND = "; "; // between sentences that are said together
const ERROR = "error"; // the place that may hold several of them
let patterns = null;

/** Return a sentence, or several between semicolons, as far as the table has them. */
export function said(text) {
  if (!text) return text;
  const found = whole(text);
  if (found !== null) return found;
  const sentence = text.endsWith(".") ? withoutStop(text.slice(0, -1)) : null;
  if (sentence !== null) return sentence;
  return text.includes(AND) ? text.split(AND).map(said).join(AND) : text;
}

/** Return a reason that stands as a sentence of its own: capital and full stop are added. */
function withoutStop(text) {
  const found = whole(text) ?? whole(text.charAt(0).toLowerCase() + text.slice(1));
  return found === null ? null : `${found.charAt(0).toUpperCase()}${found.slice(1)}.`;
}

function whole(text) {
  if (Object.hasOwn(table, text)) return table[text];
  patterns ??= withPlaces();
  for (const { pattern, sentence } of patterns) {
    const found = pattern.exec(text);
    if (found) return sentence.replace(PLACE, (_, name) => said(found.groups[name]));
  }
  return null;
}

/** Return the sentences with places; those with the most words of their own are tried first. */
function withPlaces() {
  const own = (english) => english.replace(PLACE, "").length;
  const placed = Object.keys(table).filter((english) => english.search(PLACE) >= 0);
  placed.sort((one, other) => own(other) - own(one));
  return placed.map((english) => ({ pattern: patternOf(english), sentence: table[english] }));
}

function patternOf(english) {
  const plain = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const parts = english.split(PLACE).map((text, i) => (i % 2 ? group(text) : plain(text)));
  return new RegExp(`^${parts.join("")}$`, "s");
}

const group = (name) => (name === ERROR ? `(?<${name}>.+?)` : `(?<${name}>(?:(?!${AND}).)+?)`);
