// The rules beside the game: a panel that opens over the page, at the section that was asked for.

import { button, fill, make } from "../elements.js";
import { GuideView } from "./guide_view.js";

let shown = null;

/** Open the rules of a game; `reference` names the section to begin at. */
export async function openGuide(app, ruleset, reference = null) {
  const { api, texts, lang } = app;
  const [data, rulesets] = await Promise.all([api.guide(ruleset), api.rulesets()]);
  const game = rulesets.find(({ id }) => id === ruleset).names[lang];
  const before = document.activeElement;
  shown?.close();
  const view = new GuideView(data, texts);
  const dialog = make("dialog.panel.guide", { "aria-labelledby": "guide-title", onclose: () => end() });
  const end = () => {
    dialog.remove();
    if (shown === dialog) shown = null;
    if (before?.isConnected) before.focus({ preventScroll: true });
  };
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const close = button("×", () => dialog.close(), { kind: "plain", "aria-label": texts.say("guide_close"), id: "guide-close" });
  const title = make("h2", { id: "guide-title", tabindex: -1 }, texts.say("guide_title", { game }));
  fill(dialog, make("header", {}, title, close), view.root);
  document.body.append(dialog);
  shown = dialog;
  dialog.showModal();
  title.focus();
  if (reference) view.lead(reference);
}
