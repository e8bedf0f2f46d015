// Finding something in a list by what a thumb types: the beginnings of its words in any order, a city's initials, without accents, with a letter wrong.

import { plain } from "./words.js";

const NOT_LETTERS = /[^\p{L}\p{N}]+/u;
// What has no accent that Unicode could take away.
const LETTERS = { "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ß": "ss" };
const LEAST_TYPED_FOR_SLIP = 4; // shorter words with a letter wrong are other words

/** Return the items that are meant by what is typed, those with letters wrong only where no others are; `namesOf(item)` are the names it has. */
export function matching(items, typed, namesOf) {
  const wanted = wordsOf(typed);
  if (!wanted.length) return [...items];
  const slips = items.map((item) => slipsOf(wanted, namesOf(item)));
  const least = Math.min(...slips);
  return least < Infinity ? items.filter((_, i) => slips[i] === least) : [];
}

const wordsOf = (text) => plain(text).replace(/[øłđıæœß]/g, (letter) => LETTERS[letter]).split(NOT_LETTERS).filter(Boolean);

/** Return how many of the words are meant with a letter wrong; Infinity if one is not meant at all. */
function slipsOf(wanted, names) {
  const words = names.map(wordsOf);
  const full = [...words.flat(), ...words.map((parts) => parts.join(""))];
  const initials = words.filter((parts) => parts.length > 1).map((parts) => parts.map((part) => part[0]).join(""));
  return wanted.reduce((sum, word) => {
    if (initials.includes(word) || full.some((other) => other.startsWith(word))) return sum;
    return word.length >= LEAST_TYPED_FOR_SLIP && full.some((other) => isSlip(word, other)) ? sum + 1 : Infinity;
  }, 0);
}

/** Tell whether a word begins with what was typed, but for one letter: another one, one too many, one missing, two changed round. */
function isSlip(typed, word) {
  const at = [...typed].findIndex((letter, i) => letter !== word[i]);
  const [rest, other] = [typed.slice(at), word.slice(at)];
  return other.slice(1).startsWith(rest.slice(1)) || other.startsWith(rest.slice(1)) || other.slice(1).startsWith(rest) || other.startsWith(rest[1] + rest[0] + rest.slice(2));
}
