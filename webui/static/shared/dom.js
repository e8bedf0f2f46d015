// Making elements, and putting them in place of others.

import { redraw } from "./redraw.js";

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

/** Return the train car of a colour; what it means is said beside it. */
export function car(paint) {
  return h("span", { class: `car car-${paint.style}`, "aria-hidden": "true" }, h("b", {}, paint.letter));
}

export function icon(name) {
  return s("svg", { class: "icon", "aria-hidden": "true", focusable: "false" }, s("use", { href: `#icon-${name}` }));
}

/** Let the browser draw and hear before the work goes on. */
export function breathe() {
  return new Promise((go) => setTimeout(go));
}
