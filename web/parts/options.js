// A form for the options of a game, made from their JSON Schema.

import { fill, make } from "../elements.js";

const typesOf = ({ type, anyOf = [] }) => [type, ...anyOf.map((each) => each.type)].flat();
const kindOf = (about) => (choices(about) ? "enum" : (typesOf(about).find((type) => type && type !== "null") ?? "string"));
const mayBeNull = (about) => typesOf(about).includes("null");

/** Values to choose from: words alone, or the numbers of seats and words besides, as who begins. */
const choices = ({ enum: words, anyOf = [] }) => {
  const numbers = anyOf.find(({ type, maximum }) => type === "integer" && maximum !== undefined);
  const others = anyOf.flatMap((each) => each.enum ?? []);
  if (!numbers || !others.length) return words;
  return [...Array.from({ length: numbers.maximum + 1 }, (_, seat) => seat), ...others];
};

/** Draw the fields of an options schema into a fieldset; gives what reads the choice, and what fits it to the seats. */
export function drawOptions(root, schema, { name, texts, guide = {} }) {
  const fields = Object.entries(schema.properties)
    .filter(([key]) => key !== "component_set") // there is one set in each box; others are for those who call the API
    .map(([key, about]) => ({ key, about, ...field(key, about, { name, texts }) }))
    .map((each) => ({ ...each, label: explained(each, guide[each.key]) }));
  root.hidden = !fields.length;
  fill(
    root,
    make("legend", {}, texts.say("options")),
    make(
      "div.settings",
      {},
      fields.map(({ label }) => label),
    ),
  );
  return {
    read: () => Object.fromEntries(fields.map(({ key, read }) => [key, read()])),
    fit: (seats) => fields.forEach(({ fit }) => fit?.(seats)),
  };
}

/** A field with what its option changes, and what the value chosen means. */
function explained({ label, read, key }, about) {
  if (!about) return label;
  const means = make("span");
  const input = label.querySelector("input, select");
  const tell = () => fill(means, about.values[String(read())] ? ` ${about.values[String(read())]}` : "");
  input.addEventListener("change", tell);
  input.setAttribute("aria-describedby", `about-${key}`);
  tell();
  return make("div.explained", {}, label, make("p.quiet.small", { id: `about-${key}` }, about.text, means));
}

function field(key, about, { name, texts }) {
  const label = name(key, "options");
  const id = `option-${key}`;
  switch (kindOf(about)) {
    case "boolean": {
      const input = make("input", { type: "checkbox", id, checked: about.default === true });
      return { label: make("label.tick", {}, input, label), read: () => input.checked };
    }
    case "enum": {
      const values = choices(about);
      const shown = values.map((value) => make("option", { value }, name(String(value), key)));
      const input = make("select", { id }, shown);
      input.value = about.default;
      return {
        label: make("label.field", {}, label, input),
        read: () => values.find((value) => String(value) === input.value),
        fit: (seats) => {
          const chosen = input.value;
          fill(
            input,
            shown.filter((_, at) => typeof values[at] === "string" || values[at] < seats),
          );
          input.value = chosen;
          if (!input.value) input.value = about.default;
        },
      };
    }
    case "integer": {
      const { minimum } = about.anyOf?.find(({ minimum: least }) => least !== undefined) ?? about;
      const input = make("input", {
        type: "number",
        id,
        min: minimum,
        step: 1,
        value: about.default ?? "",
        required: !mayBeNull(about),
        placeholder: texts.say("none"),
      });
      return {
        label: make("label.field", {}, label, input),
        read: () => (input.value === "" ? null : Number(input.value)),
      };
    }
  }
  const input = make("input", { type: "text", id, value: about.default ?? "" });
  return { label: make("label.field", {}, label, input), read: () => input.value };
}
