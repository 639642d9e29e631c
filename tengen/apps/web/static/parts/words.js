// Words in the language of the page, as `tengen/apps/language.py` has them in Python: a text in English is its own key.

export const LANGUAGES = { en: "English", fr: "Français", es: "Español" };
const RAW = { n: "-?\\d[\\d.,]*", place: "[A-Za-z]\\d+", places: ".+", turn: "\\S+", name: ".*" }; // no words

// The language that is set, or the first one of the browser that is known.
const chosen = JSON.parse(localStorage.getItem("tengen") ?? "{}").language;
export const language = [chosen, ...navigator.languages.map((each) => each.slice(0, 2))].find((each) => each in LANGUAGES) ?? "en";

const texts = Object.assign(Object.create(null), language === "en" ? {} : await (await fetch(`words/${language}.json`)).json());
const patterns = Object.keys(texts).filter((text) => text.includes("{")).sort((one, other) => other.length - one.length)
  .map((text) => [new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{([a-z]+)(\d*)\}/g, (_, name, number) => `(?<${name}${number}>${RAW[name] ?? ".+?"})`)}$`, "s"), texts[text]]);
const found = new Map(); // sentences that were recognised

function recognise(text) {
  for (const [pattern, meaning] of patterns) {
    const match = pattern.exec(text);
    if (match) return fill(meaning, match.groups);
  }
  return text;
}

function fill(text, values) {
  return text.replace(/\{([a-z]+)\d*\}/g, (hole, name) => {
    const value = String(values[hole.slice(1, -1)] ?? hole);
    if (name === "n" && language !== "en") return value.replace(/,/g, "\u202f").replace(".", ",");
    return name in RAW ? value : t(value);
  });
}

// A text in the language of the page, with `values` in place of its placeholders; or a sentence of the server.
export function t(text, values) {
  if (values) return fill(texts[text] ?? text, values);
  if (text in texts || !patterns.length) return texts[text] ?? text;
  if (!found.has(text)) found.set(text, recognise(text));
  return found.get(text);
}

// Translate the texts of a part of the page, and what screen readers say of it.
export function translatePage(root) {
  document.documentElement.lang = language;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.data.trim()) walker.currentNode.data = t(walker.currentNode.data.trim());
  for (const each of root.querySelectorAll("[aria-label]")) each.ariaLabel = t(each.ariaLabel);
}
