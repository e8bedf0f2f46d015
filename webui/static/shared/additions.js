// What some games add to parts of the page; a part asks for it, and the script that knows it may come later.

const makers = new Map();

/** Let `make(...about)` add to a part of the page. */
export function addTo(part, make) {
  makers.set(part, make);
}

/** Return what is added to a part: null in most games. */
export function addition(part, ...about) {
  return makers.get(part)?.(...about) ?? null;
}
