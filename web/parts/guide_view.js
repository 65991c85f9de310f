// The rules of a game as a page to read and to search: every entry can be found by its words, and led to by its name.

import { fill, make } from "../elements.js";
import "../learn_texts.js";
import { loadStylesheet } from "../stylesheets.js";

loadStylesheet(new URL("./guide.css", import.meta.url));

const plain = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();

/** What a game takes: minutes, players, weight. */
export function facts({ minutes: [short, long], players: [few, many], weight }, texts) {
  return make(
    "p.facts.quiet",
    {},
    [
      texts.say("minutes", { short, long }),
      texts.say(few === many ? "just_players" : "n_players", { min: few, max: many }),
      texts.say(`weight_${weight}`),
    ].join(" · "),
  );
}

export class GuideView {
  /** `data` is a guide as the API serves it. */
  constructor(data, texts) {
    this.texts = texts;
    this.entries = new Map();
    const search = make("input", {
      type: "search",
      "aria-label": texts.say("guide_search"),
      placeholder: texts.say("guide_search"),
      oninput: () => this.find(search.value),
    });
    this.found = make("p.quiet.small", { role: "status" });
    this.groups = this.#groups(data);
    this.root = make(
      "div.guide-text",
      {},
      make("p.about", {}, data.about),
      facts(data, texts),
      make("div.seek", {}, search, this.found),
      this.groups,
    );
  }

  #groups(data) {
    const { texts } = this;
    const entry = (ref, name, text, ...more) => this.#entry(ref, name, text, more);
    const steps = (list) =>
      make("ol.numbered", {}, list.map(({ title, text }) => make("li", {}, make("strong", {}, title), " ", text)));
    const kinds = [...new Set(Object.values(data.things).map(({ kind }) => kind))];
    return [
      this.#group("goal", texts.say("guide_goal"), [entry("goal", null, data.goal)]),
      this.#group(
        "overview",
        texts.say("guide_overview"),
        data.overview.map(({ title, text }, at) => entry(`overview.${at}`, title, text)),
      ),
      this.#group("turn", texts.say("guide_turn"), [entry("turn", null, "", steps(data.turn))]),
      this.#group(
        "actions",
        texts.say("guide_actions"),
        Object.entries(data.actions).map(([key, { name, text }]) => entry(`actions.${key}`, name, text)),
      ),
      kinds.map((kind) =>
        this.#group(
          `kind-${kind}`,
          texts.say(`kind_${kind}`),
          Object.entries(data.things)
            .filter(([, thing]) => thing.kind === kind)
            .map(([key, { name, effect, cost }]) =>
              entry(`things.${key}`, name, effect, cost && this.#cost(cost)),
            ),
        ),
      ),
      this.#group("scoring", texts.say("guide_scoring"), [
        entry("scoring", null, data.scoring.text, this.#example(data.scoring.example)),
      ]),
      this.#group(
        "options",
        texts.say("guide_options"),
        Object.entries(data.options).map(([key, { name, text }]) => entry(`options.${key}`, name, text)),
      ),
      this.#group("tips", texts.say("guide_tips"), data.tips.map((tip, at) => entry(`tips.${at}`, null, tip))),
    ].flat();
  }

  #cost(cost) {
    return make("p.cost", {}, make("strong", {}, this.texts.say("guide_costs")), ` ${cost}`);
  }

  #group(name, title, entries) {
    return make("section", { data: { group: name } }, make("h3", { tabindex: -1 }, title), entries);
  }

  #entry(ref, name, text, more) {
    const element = make(
      "div.entry",
      { data: { ref } },
      name && make("h4", {}, name),
      text && make("p", {}, text),
      more,
    );
    this.entries.set(ref, element);
    return element;
  }

  #example({ text, lines, total }) {
    const row = (label, points) =>
      make("tr", {}, make("td", {}, label), points.map((each) => make("td.n", {}, String(each))));
    return make(
      "div.example",
      {},
      make("h4", {}, this.texts.say("guide_example")),
      make("p", {}, text),
      make("table", {}, make("tbody", {}, lines.map(({ text: label, points }) => row(label, points)), row(this.texts.say("guide_total"), total))),
    );
  }

  /** Show the entries that hold all these words; all of them, if there are none. */
  find(query) {
    const words = plain(query).split(/\s+/).filter(Boolean);
    let number = 0;
    for (const element of this.entries.values()) {
      element.hidden = !words.every((word) => plain(element.textContent).includes(word));
      number += Number(!element.hidden);
    }
    for (const group of this.groups) group.hidden = [...group.querySelectorAll(".entry")].every(({ hidden }) => hidden);
    const text = number ? this.texts.count("guide_found", number) : this.texts.say("guide_nothing");
    fill(this.found, words.length ? text : "");
  }

  /** Lead to a section by its reference: `goal`, `actions.build`, `things.start_card`. */
  lead(reference) {
    const [section] = reference.split(".");
    const target =
      this.entries.get(reference) ??
      this.root.querySelector(`[data-group="${section}"]`) ??
      this.root.querySelector(`[data-ref^="${section}."]`);
    for (const old of this.root.querySelectorAll(".led")) old.classList.remove("led");
    if (!target) return;
    target.classList.add("led");
    target.scrollIntoView({ block: "start" });
  }
}

