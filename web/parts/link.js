// An address to hand on.

import { button, make } from "../elements.js";

/** An address to hand on, with a button that copies it. */
export function link(address, label, texts) {
  const field = make("input", {
    type: "text",
    readonly: true,
    value: address,
    "aria-label": label,
    onfocus: (event) => event.target.select(),
  });
  const copied = make("span.quiet.small", { role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      field.select();
      document.execCommand?.("copy");
    }
    copied.textContent = texts.say("copied");
  };
  const share = navigator.share && button(texts.say("share"), () => navigator.share({ url: address }).catch(() => {}));
  return make(
    "div.link",
    {},
    make("span.small.quiet", {}, label),
    make("div.row", {}, field, button(texts.say("copy"), copy), share, copied),
  );
}
