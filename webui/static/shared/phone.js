// This phone: the language that it reads in, its browser's unless another is chosen here, and its screen, which stays on.

import { h } from "./dom.js";
import { say } from "./words.js";

const { languages, languageCookie } = document.documentElement.dataset;
const A_YEAR_S = 365 * 24 * 3600;

/** Return the choice of a language, each called as it calls itself. */
export function languageChoice() {
  const chosen = kept();
  const option = (value, text) => h("option", { value, lang: value || null, selected: value === chosen }, text);
  return h("label", { class: "switch", for: "language" }, h("span", {}, say("phone.language")),
    h("select", { id: "language", "data-key": "language", on: { change: (event) => choose(event.target.value) } },
      option("", say("phone.language_own")), languages.split(" ").map((one) => option(one, ownName(one)))));
}

function ownName(language) {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language);
  return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1);
}

function kept() {
  const cookies = document.cookie.split("; ").map((cookie) => cookie.split("="));
  return cookies.find(([name]) => name === languageCookie)?.[1] ?? "";
}

/** Keep the choice in a cookie, which the server reads: the page comes in that language then. */
function choose(language) {
  document.cookie = `${languageCookie}=${language}; path=/; max-age=${language ? A_YEAR_S : 0}; samesite=strict${location.protocol === "https:" ? "; secure" : ""}`;
  location.reload();
}

// The screen stays on while a game runs, where the browser lets it (only over https, or on the host itself).

let lock = null;

export const canStayAwake = () => "wakeLock" in navigator;

export async function stayAwake() {
  if (!canStayAwake() || document.hidden || lock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
  } catch {
    lock = null; // a low battery refuses
  }
}

document.addEventListener("visibilitychange", stayAwake);
