// The emblem of a game, as its ruleset brings it.

export function emblem(ruleset) {
  const svg = new DOMParser().parseFromString(ruleset.emblem, "image/svg+xml").documentElement;
  svg.setAttribute("class", "emblem");
  svg.setAttribute("aria-hidden", "true");
  return document.importNode(svg, true);
}
