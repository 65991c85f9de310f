// Style sheets of single views, loaded when such a view is first opened.

import { make } from "./elements.js";

const worn = new Map();

/** Load a style sheet once; resolves when it is there. */
export function loadStylesheet(address) {
  const href = String(address);
  if (!worn.has(href)) {
    const link = make("link", { rel: "stylesheet", href });
    worn.set(href, new Promise((resolve) => (link.onload = link.onerror = resolve)));
    document.head.append(link);
  }
  return worn.get(href);
}
