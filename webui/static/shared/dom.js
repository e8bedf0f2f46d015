// Making elements, and putting them in place of others.

const SVG = "http://www.w3.org/2000/svg";

/** Make an HTML element; `on` has its listeners, null and false attributes are left out. */
export function h(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** Make an SVG element. */
export function s(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [type, heard] of Object.entries(value)) element.addEventListener(type, heard);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Replace what a container holds; who was on an element with the same data-key stays there, with what she typed. */
export function fill(container, ...children) {
  redraw(container, () => container.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)));
}

/** Fill a place anew only where what it shows is `about` something else: what is under a finger stays. */
export function fillAnew(place, about, make) {
  const has = JSON.stringify(about);
  if (place.dataset.has === has) return;
  place.dataset.has = has;
  fill(place, make());
}

/** Write a text where another stands: a screen reader hears none twice. */
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** Return the train car of a colour; what it means is said beside it. */
export function car(paint) {
  return h("span", { class: `car car-${paint.style}`, "aria-hidden": "true" }, h("b", {}, paint.letter));
}

export function icon(name) {
  return s("svg", { class: "icon", "aria-hidden": "true", focusable: "false" }, s("use", { href: `#icon-${name}` }));
}

/** Return a button of that data-key, null where nothing asks for it; `attributes` are further ones. */
export function button(key, text, act, attributes = {}) {
  return h("button", { type: "button", "data-key": key, on: { click: act }, ...attributes }, text);
}

/** Return a button that shows something while it is held: `show(isHeld)` hears it, several times the same perhaps. */
export function holdButton(key, show, ...children) {
  const [hold, letGo] = [() => show(true), () => show(false)];
  const isKey = (event) => event.key === " " || event.key === "Enter";
  return h("button", { type: "button", class: "wide hold", "data-key": key, on: {
    pointerdown: hold, pointerup: letGo, pointerleave: letGo, pointercancel: letGo, blur: letGo,
    contextmenu: (event) => event.preventDefault(),
    keydown: (event) => isKey(event) && hold(), keyup: (event) => isKey(event) && letGo(),
  } }, icon("eye"), children);
}

/** Return the picture of a code to scan, with its alternative text; `onLoad()` is called once it has its size. */
export function codePicture(svg, alt, onLoad = () => {}) {
  const src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  return h("img", { class: "qr", alt, src, on: { load: () => (URL.revokeObjectURL(src), onLoad()) } });
}

/** Return a picture of which nothing is left where the server has none. */
export function pictureIfThere(attributes) {
  const picture = h("img", { ...attributes, on: { error: () => picture.remove() } });
  return picture;
}

/** Add a style sheet of a page's part that few fetch, and wait until it is there. */
export function dress(path) {
  const link = h("link", { rel: "stylesheet", href: new URL(`../${path}`, import.meta.url).pathname });
  document.head.append(link);
  return new Promise((go) => ["load", "error"].forEach((type) => link.addEventListener(type, go)));
}

/** Let the browser draw and hear before the work goes on. */
export function breathe() {
  return new Promise((go) => setTimeout(go));
}

// Drawing a part of the page anew around a person who is at it: what she types, opens or presses stays.

const FIELDS = "input, select, textarea";
const BUTTONS = "button[data-key], [data-key] > summary";
// Fields with text that no "change" event has told yet, and those of them that replaced another one.
const typed = new WeakSet();
const replacements = new WeakSet();
let isDrawing = false;

addEventListener("input", ({ target }) => typed.add(target), true);
addEventListener("change", (event) => {
  // Browsers fire it for a field that is taken away: half a word would be sent.
  if (isDrawing) event.stopImmediatePropagation();
  else typed.delete(event.target);
}, true);
addEventListener("focusout", ({ target }) => {
  // Browsers do not fire it for text that was put into a replacement by a script.
  if (!isDrawing && replacements.has(target) && typed.has(target)) target.dispatchEvent(new Event("change", { bubbles: true }));
}, true);

/**
 * Draw anew what a container holds; who was on an element stays on the one with the same data-key.
 *
 * Half a word stays with its caret, details with a data-key stay open, and fields with `data-draft`,
 * which only a button sends, keep their text. A `data-of` around a field says whose it is: the
 * text for one thing is never put into the field of another.
 */
function redraw(container, draw) {
  const own = container.contains(document.activeElement) ? fieldState(document.activeElement) : null;
  const open = [...container.querySelectorAll("details[data-key][open]")].map((one) => one.dataset.key);
  const drafts = [...container.querySelectorAll("[data-draft]")].filter((one) => one.value !== drawnValue(one)).map(fieldState);
  isDrawing = true;
  try {
    draw();
  } finally {
    isDrawing = false;
  }
  const now = (key) => key && container.querySelector(`[data-key="${CSS.escape(key)}"]`);
  // Before the focus: nothing inside closed details takes it.
  for (const details of container.querySelectorAll("details[data-key]")) details.open ||= open.includes(details.dataset.key);
  for (const { key, text } of drafts) if (now(key)) write(now(key), text);
  if (own && now(own.key)) goBack(now(own.key), own);
  else if (own) readFrom(container.querySelector("[tabindex='-1'], h1, h2, h3"));
}

/** Where what had the keyboard is gone, the keyboard goes on at the heading of that part. */
function readFrom(heading) {
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

function write(field, text) {
  if (field.value !== text) field.value = text;
  if (field.selectedIndex === -1) field.value = drawnValue(field); // what was chosen is offered no more
}

function fieldState(element) {
  const { value: text, selectionStart: from = null, selectionEnd: to, scrollTop } = element;
  return { key: element.dataset.key, owner: ownerOf(element), text, isTyped: typed.has(element), from, to, scrollTop };
}

const ownerOf = (element) => element.closest("[data-of]")?.dataset.of;

/** Return what a field held when it was drawn. */
function drawnValue(field) {
  if (field.tagName !== "SELECT") return field.defaultValue;
  return ([...field.options].find((one) => one.defaultSelected) ?? field.options[0])?.value;
}

function goBack(element, { owner, text, isTyped, from, to, scrollTop }) {
  element.focus({ preventScroll: true });
  if (!element.matches(FIELDS) || ownerOf(element) !== owner) return;
  if (isTyped) {
    write(element, text);
    typed.add(element);
    replacements.add(element);
  }
  if (from !== null && element.value === text) element.setSelectionRange(from, to);
  element.scrollTop = scrollTop;
}

/** Empty a draft that was sent, unless something else stands there by now. */
export function settle(field, sent) {
  if (field?.value === sent) field.value = drawnValue(field);
}

/** Let a button be pressed that is drawn anew while the mouse holds it down: browsers forget it then. */
export function keepPresses(container) {
  let held = null;
  const name = (button) => button.dataset.key ?? button.parentElement.dataset.key;
  container.addEventListener("pointerdown", ({ target, button, pointerType }) => {
    const pressed = pointerType === "mouse" && button === 0 ? target.closest(BUTTONS) : null;
    held = pressed && { pressed, key: name(pressed), owner: ownerOf(pressed) };
  });
  addEventListener("pointerup", ({ target }) => {
    const under = held && !held.pressed.isConnected ? target.closest?.(BUTTONS) : null;
    if (under && name(under) === held.key && ownerOf(under) === held.owner) under.click();
    held = null;
  });
}

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

/** Return a button that opens the phone's own camera, also without https; taking the picture is sending it: `send(files)` gets it. With `isCamera` false pictures are chosen. */
export function photoButton(key, text, send, attributes = {}, isCamera = true) {
  const input = h("input", { type: "file", accept: "image/*", capture: isCamera ? "environment" : null, multiple: !isCamera, class: "unseen", "data-key": key, on: { change: () => {
    const files = [...input.files];
    input.value = ""; // else the same picture could not be chosen twice
    if (files.length) send(files);
  } } });
  return h("label", { class: "button photo-button wide primary", ...attributes }, isCamera ? icon("camera") : null, h("span", {}, text), input);
}
