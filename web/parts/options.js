// A form for the options of a game, made from their JSON Schema.

import { fill, make } from "../elements.js";

const typesOf = ({ type, anyOf = [] }) => [type, ...anyOf.map((each) => each.type)].flat();
const kindOf = (about) => (about.enum ? "enum" : (typesOf(about).find((type) => type && type !== "null") ?? "string"));
const mayBeNull = (about) => typesOf(about).includes("null");

/** Draw the fields of an options schema into a fieldset; returns a function that reads what was chosen. */
export function drawOptions(root, schema, { name, texts }) {
  const fields = Object.entries(schema.properties)
    .filter(([key]) => key !== "component_set") // there is one set in each box; others are for those who call the API
    .map(([key, about]) => ({ key, about, ...field(key, about, { name, texts }) }));
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
  return () => Object.fromEntries(fields.map(({ key, read }) => [key, read()]));
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
      const input = make(
        "select",
        { id },
        about.enum.map((value) => make("option", { value }, name(String(value), key))),
      );
      input.value = about.default;
      return {
        label: make("label.field", {}, label, input),
        read: () => about.enum.find((value) => String(value) === input.value),
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
