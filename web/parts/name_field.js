// Where a name is typed.

import { make } from "../elements.js";
import * as seats from "../seat_storage.js";

const LONGEST = 40;

/** For the name of whoever looks at the page: at first the one that was typed last. */
export const ownName = (id) =>
  make("input", {
    type: "text",
    id,
    maxlength: LONGEST,
    required: true,
    value: seats.wish("name", ""),
    autocomplete: "nickname",
  });

/** For the name of someone else before this screen. */
export const nameHere = (texts, attributes) =>
  make("input", {
    type: "text",
    maxlength: LONGEST,
    "aria-label": texts.say("name_here"),
    placeholder: texts.say("name_here"),
    ...attributes,
  });
