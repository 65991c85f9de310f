// Style sheets of single views, loaded when such a view is first opened.

import { make } from "./elements.js";

const worn = new Map();

/** Wear a style sheet; comes back when it is there. */
export function wearing(address) {
  const href = String(address);
  if (!worn.has(href)) {
    const link = make("link", { rel: "stylesheet", href });
    worn.set(href, new Promise((resolve) => (link.onload = link.onerror = resolve)));
    document.head.append(link);
  }
  return worn.get(href);
}
