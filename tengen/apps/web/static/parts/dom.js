// Small helpers to make elements.

import { language, t } from "./words.js";

export const byId = (id) => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list" && key !== "form") made[key] = value;
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

export function shape(name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

let drawings = 0;

// The element of an SVG text, with its words in the language of the page. Its ids get a prefix: a page may have several drawings, and they share names.
export function svgOf(text) {
  const prefix = `d${++drawings}-`;
  const own = text.replace(/( id="|url\(#|href="#)/g, `$1${prefix}`);
  const svg = document.importNode(new DOMParser().parseFromString(own, "image/svg+xml").documentElement, true);
  for (const each of svg.querySelectorAll("text")) each.textContent = t(each.textContent);
  return svg;
}

export function percent(rate) {
  const digits = rate > 0.995 || rate < 0.005 ? 0 : 1;
  return rate.toLocaleString(language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

// The name of a side, as the board has it.
export const sideName = (side) => t({ first: "Player 1", second: "Player 2" }[side] ?? capital(side));

export function button(label, onclick, properties = {}) {
  return element("button", { type: "button", textContent: label, onclick, ...properties });
}
