// The "?" that opens the rules of a game; the rules themselves are loaded when somebody asks.

import { button } from "../elements.js";

export async function askGuide(app, ruleset, reference = null) {
  const { openGuide } = await import("./guide_panel.js");
  await openGuide(app, ruleset, reference);
}

/** A "?" for a game; `text` stands beside it. */
export const guideButton = (app, ruleset, { text = "?", id = null, kind = "help" } = {}) =>
  button(text, () => askGuide(app, typeof ruleset === "function" ? ruleset() : ruleset), {
    kind,
    id,
    "aria-label": text === "?" ? app.texts.say("rules") : null,
    title: app.texts.say("rules"),
  });
