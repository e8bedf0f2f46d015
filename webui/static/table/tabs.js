// The page's parts behind a bar in reach of the thumb; on a wide screen the board stands beside them.

const wide = matchMedia("(min-width: 62rem)");
let shown = "score";
let wanted = "score";

/** Let the bar's buttons show their panels. */
export function startTabs() {
  for (const tab of tabs()) {
    tab.addEventListener("click", () => showTab(tab.dataset.tab));
    tab.addEventListener("keydown", step);
  }
  wide.addEventListener("change", arrange);
  arrange();
}

const makers = new Map();

/** Have a part made when it is first shown. */
export function whenFirstShown(name, make) {
  makers.set(name, make);
  makeShown();
}

function makeShown() {
  const make = makers.get(document.body.dataset.tab);
  makers.delete(document.body.dataset.tab);
  make?.();
}

/** Show a part; on a wide screen the board is there anyway. */
export function showTab(name) {
  wanted = name;
  if (name !== "board") shown = name;
  arrange();
  if (!isBoardBeside()) scrollTo(0, 0);
}

/** Return the part that is shown. */
export const shownTab = () => document.body.dataset.tab;

/** Tell whether the board stands beside the other parts. */
export const isBoardBeside = () => wide.matches;

const tabs = () => [...document.querySelectorAll("[role=tab]")];

function arrange() {
  const open = wide.matches ? shown : wanted;
  for (const tab of tabs()) {
    const isOpen = tab.dataset.tab === open;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    tab.hidden = wide.matches && tab.dataset.tab === "board";
  }
  for (const panel of document.querySelectorAll("[role=tabpanel]")) {
    const isOpen = panel.dataset.panel === open || (wide.matches && panel.dataset.panel === "board");
    panel.classList.toggle("away", !isOpen);
    panel.inert = !isOpen;
  }
  // The keyboard is not left in a part that is put away.
  if (document.activeElement.closest("[inert]")) document.querySelector("[role=tab][aria-selected=true]").focus({ preventScroll: true });
  document.body.dataset.tab = open;
  makeShown();
  dispatchEvent(new Event("shown"));
}

/** Move along the bar with the arrow keys, as tabs do. */
function step(event) {
  const shownTabs = tabs().filter((tab) => !tab.hidden);
  const at = shownTabs.indexOf(event.currentTarget);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shownTabs.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const tab = shownTabs[(to + shownTabs.length) % shownTabs.length];
  showTab(tab.dataset.tab);
  tab.focus();
}
