// The page that is shown where the computer does not answer: in the reader's language, and only for so long.

const LOOK_MS = 3000;
const { languageCookie, here } = document.documentElement.dataset;

speak(language());
for (const button of document.querySelectorAll("button")) button.addEventListener("click", again);
setInterval(look, LOOK_MS);

function language() {
  const cookies = Object.fromEntries(document.cookie.split("; ").map((cookie) => cookie.split("=")));
  const there = [...document.querySelectorAll("section")].map((section) => section.lang);
  const wanted = [cookies[languageCookie] ?? "", ...navigator.languages.map((one) => one.slice(0, 2))];
  return wanted.find((one) => there.includes(one)) ?? "en";
}

function speak(chosen) {
  document.documentElement.lang = chosen;
  for (const section of document.querySelectorAll("section")) section.hidden = section.lang !== chosen;
}

/** Go on by itself as soon as the computer answers. */
async function look() {
  if (document.hidden) return;
  try {
    await fetch("/manifest.webmanifest", { cache: "no-store", signal: AbortSignal.timeout(LOOK_MS) });
  } catch {
    return; // still not there
  }
  again();
}

function again() {
  if (location.pathname === here) location.replace("/");
  else location.reload();
}
