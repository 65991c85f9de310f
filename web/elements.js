// Makes elements. Whatever comes from elsewhere becomes text or an attribute, never markup.

const isNothing = (child) => child === null || child === undefined || child === false || child === "";

function append(parent, children) {
  for (const child of children.flat(Infinity)) if (!isNothing(child)) parent.append(child);
  return parent;
}

/**
 * An element: `make("button.big", { type: "button", onclick }, "Play")`. Attributes that are false, null or undefined
 * are left out, those that are true are empty; functions listen (`onclick`); `data` and `style` take objects.
 */
export function make(kind, attributes = {}, ...children) {
  const [name, ...classes] = kind.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(key.replace(/^on/, ""), value);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "style")
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    else if (key === "value" || key === "checked" || key === "selected") element[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  return append(element, children);
}

/** The element with these children instead of those that it has. */
export function fill(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/** A button with a text. */
export const button = (text, onclick, attributes = {}) =>
  make(
    `button${attributes.kind ? `.${attributes.kind}` : ""}`,
    { type: "button", onclick, ...attributes, kind: null },
    text,
  );

const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    if (!isNothing(value)) element.setAttribute(key, String(value));
  return append(element, children);
}

const MARKS = [
  ["circle", { cx: 12, cy: 12, r: 8.5 }],
  ["path", { d: "M12 2l10 10l-10 10L2 12z" }],
  ["path", { d: "M12 2.500L22 21H2z" }],
  ["path", { d: "M3.500 3.500h17v17h-17z" }],
];

/** The shape of a seat's mark, 24 units wide. */
export const seatShape = (seat) => draw(...MARKS[seat % 4]);

/** The mark that a seat always wears: circle, diamond, triangle, square. */
export const seatMark = (seat) =>
  draw("svg", { viewBox: "0 0 24 24", class: `mark seat-${seat % 4}`, "aria-hidden": "true" }, seatShape(seat));

/** Tell those who listen to the page instead of looking at it. */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = "";
  setTimeout(() => (announcer.textContent = text), 50);
}
