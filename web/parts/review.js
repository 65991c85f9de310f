// A review in the replay: the curve under the scrubber, what is told of the present entry, and the findings below.

import { grammarOf, written } from "../action_choice.js";
import { fill, make, seatMark } from "../elements.js";
import { loadStylesheet } from "../stylesheets.js";
import { Curve } from "./curve.js";
import { figuresIn } from "./percentages.js";
import { Findings } from "./findings.js";

/** The parts of a board that an action names. */
function partsOf(board, action, grammar) {
  const { names, lists } = grammar.get(action.type);
  return names.flatMap((name) => {
    const values = new Set((lists.has(name) ? (action[name] ?? []) : [action[name] ?? null]).map(written));
    return board
      .parts()
      .filter((part) => values.has(part.names[name]) && (!part.actions || part.actions.includes(action.type)))
      .map(({ element }) => element);
  });
}

export class Review {
  /** `replay` has `app`, `ruleset`, `story`, `goTo(version)` and `turnName(turn)`. */
  static async of(review, replay) {
    await loadStylesheet(new URL("./review.css", import.meta.url));
    return new Review(review, replay);
  }

  constructor(review, replay) {
    const { app, ruleset, story } = replay;
    Object.assign(this, { review, replay, texts: app.texts, teller: story.teller });
    this.figures = figuresIn(app.lang);
    this.grammar = grammarOf(ruleset.actions);
    const go = (version) => replay.goTo(version);
    this.findings = new Findings({ review, texts: app.texts, teller: story.teller, figures: this.figures, turns: () => this.#turns(), go: (version) => this.#look(version) });
    this.curve = new Curve({
      points: review.curve,
      turning: review.turning_points.map((point) => ({ ...point, label: this.texts.say("turning_point_at", { n: point.version, what: this.teller.turningPoint(point) }) })),
      first: story.first,
      last: story.last,
      label: this.texts.say("curve"),
      told: (version) => this.texts.say("curve_at", { n: version, chances: this.#inWords(this.curve.at(version)) }),
      go,
    });
    this.chances = make("p.small.chances");
    this.present = make("p.small.worth", { id: "worth" });
    this.root = make("div.review", {}, make("p.unseen", {}, this.#summary()), this.curve.root, this.chances);
  }

  show(version) {
    this.curve.show(version);
    this.findings.show(version);
    const chances = this.curve.at(version).map((chance, seat) => make("span", {}, seatMark(seat), make("span.who", {}, this.#named(seat)), make("strong", {}, this.figures.percent(chance))));
    fill(this.chances, chances);
    this.present.textContent = this.findings.shortly(version);
  }

  /** Frame on the board what would have been better than the present entry; by another seat's eyes it names other things. */
  frame(board, version, eyes) {
    const { seat, better: [best] = [] } = this.findings.decisions.get(version) ?? {};
    const isSeen = best && ["", "spectator", String(seat)].includes(eyes);
    const parts = isSeen ? partsOf(board, best.action, this.grammar) : [];
    board.mark(parts);
    this.findings.framed(parts.length > 0);
  }

  /** Look at a turning point: go there, with the board in sight. */
  async #look(version) {
    await this.replay.goTo(version);
    this.replay.boardZone.scrollIntoView({ block: "nearest" });
  }

  // -- in words ---------------------------------------------------------------------------------------------------------

  #named(seat) {
    return this.teller.sentences.player(seat);
  }

  #inWords(chances) {
    return chances.map((chance, seat) => `${this.#named(seat)} ${this.figures.percent(chance)}`).join(", ");
  }

  #summary() {
    const { curve, turning_points: points } = this.review;
    const members = { start: this.#inWords(curve[0].chances), end: this.#inWords(curve.at(-1).chances), turned: this.texts.count("turned", points.length) };
    return this.texts.say("curve_summary", members);
  }

  /** How the chances stood when each turn began, and in the end. */
  #turns() {
    const { story } = this.replay;
    const begun = [...story.entries.values()].filter(({ turn }) => turn);
    const rows = begun.map(({ version, turn }) => ({ name: this.replay.turnName(turn), chances: this.curve.at(version) }));
    return [...rows, { name: this.texts.say("status_ended"), chances: this.curve.at(story.last) }];
  }
}
