// What a review has found, in words: where the game turned, what each decision was worth, luck apart from skill.

import { fill, make, seatMark } from "../elements.js";

const TOLD = 5; // thousandths from which a draw is worth a word

export class Findings {
  constructor({ review, texts, teller, figures, turns, go }) {
    Object.assign(this, { review, texts, teller, figures, turns, go });
    this.decisions = new Map(review.decisions.map((decision) => [decision.version, decision]));
    this.draws = new Map(review.curve.filter(({ luck }) => luck).map(({ version, luck }) => [version, luck]));
    this.points = make("ol.turning-points", {}, review.turning_points.map((point) => this.#point(point)));
    this.root = make("section.panel.findings", { tabindex: -1, id: "findings", "aria-labelledby": "findings-title" }, make("div", {}, this.#entry(), this.#turns()), this.#luck());
  }

  #player(seat) {
    return this.teller.sentences.player(seat);
  }

  /** Tell all about an entry, and mark it if it is a turning point. */
  show(version) {
    this.title.textContent = this.texts.say("entry_number", { n: version });
    fill(this.entry, this.#about(version).map((sentence) => make("p", {}, sentence)), this.onBoard);
    this.framed(false);
    for (const item of this.points.children) {
      if (Number(item.dataset.version) === version) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
  }

  /** Is what would have been better framed on the board? */
  framed(isFramed) {
    this.onBoard.hidden = !isFramed;
  }

  /** The present entry in a word: what it did to the chances, and what would have been better. */
  shortly(version) {
    const decision = this.decisions.get(version);
    if (!decision) return this.#drawn(this.draws.get(version)) ?? "";
    const [best] = decision.better;
    const better = best && this.texts.say("better_shortly", { what: this.teller.option(best), best: this.figures.percent(best.chance) });
    return [this.#moved(decision), better].filter(Boolean).join(" ");
  }

  /** The same in full: with open cards too, and what was drawn. */
  #about(version) {
    const decision = this.decisions.get(version);
    const told = [...(decision ? this.#decision(decision) : []), this.#drawn(this.draws.get(version))].filter(Boolean);
    return told.length ? told : [this.texts.say("nothing_decided")];
  }

  #decision(decision) {
    return [this.#moved(decision), this.#better(decision), this.#open(decision)];
  }

  #moved({ seat, before, after }) {
    const [was, is] = [before, after].map((chances) => this.figures.percent(chances[seat]));
    return this.texts.say("chance_moved", { who: this.#player(seat), before: was, after: is });
  }

  #better({ seat, choices, better: [best], chance }) {
    const { texts, figures } = this;
    if (choices < 2) return texts.say("forced");
    if (!best) return texts.say("nothing_better");
    return texts.say("was_better", { who: this.#player(seat), what: this.teller.option(best), best: figures.percent(best.chance), chance: figures.percent(chance) });
  }

  #open({ open: [best], better }) {
    if (best) return this.texts.say("open_better", { what: this.teller.option(best), best: this.figures.percent(best.chance) });
    return better.length ? this.texts.say("open_nothing") : null;
  }

  #drawn(luck) {
    if (!luck?.some((gift) => Math.abs(gift) >= TOLD)) return null;
    const gifts = luck.map((gift, seat) => `${this.#player(seat)} ${this.figures.change(gift)}`).join(", ");
    return this.texts.say("drawn", { gifts });
  }

  #entry() {
    this.title = make("h2");
    this.onBoard = make("p.quiet", {}, this.texts.say("framed"));
    this.entry = make("div.small.about-entry");
    return make("div", {}, this.title, this.entry);
  }

  // -- turning points ---------------------------------------------------------------------------------------------------

  #turns() {
    const { texts } = this;
    return make(
      "div",
      {},
      make("h2", { id: "findings-title" }, texts.say("where_it_turned")),
      this.points.childElementCount ? this.points : make("p", {}, texts.say("never_turned")),
    );
  }

  #point(point) {
    const { version, seat, lost } = point;
    const open = this.#open(this.decisions.get(version));
    return make(
      "li",
      { data: { version } },
      make(
        "button.plain.entry",
        { type: "button", onclick: () => this.go(version) },
        seatMark(seat),
        make(
          "span",
          {},
          make("span.head", {}, make("span.quiet.small", {}, this.texts.say("entry_number", { n: version })), make("strong.lost", {}, this.figures.change(-lost))),
          make("span.sentence", {}, this.teller.turningPoint(point)),
          open && make("span.quiet.small.open-cards", {}, open),
        ),
      ),
    );
  }

  // -- luck and skill ---------------------------------------------------------------------------------------------------

  #luck() {
    const { texts, figures } = this;
    const head = ["player", "choices", "skill", "luck"].map((key, column) => make(column ? "th.n" : "th", { scope: "col" }, texts.say(key)));
    const row = ({ seat, decisions, skill, luck }) =>
      make(
        "tr",
        {},
        make("th.who", { scope: "row" }, seatMark(seat), " ", this.#player(seat)),
        [String(decisions), figures.points(skill), figures.points(luck)].map((text) => make("td.n", {}, text)),
      );
    return make(
      "div.luck-and-skill",
      {},
      make("h2", {}, texts.say("luck_and_skill")),
      make("table", {}, make("thead", {}, make("tr", {}, head)), make("tbody", {}, this.review.seats.map(row))),
      make("p.small.quiet", {}, texts.say("skill_about")),
      make("p.small.quiet", {}, texts.say("estimates")),
      this.#inFigures(),
    );
  }

  /** The curve as a table, turn by turn. */
  #inFigures() {
    const table = make("table");
    const write = () => {
      const seats = this.review.seats.map(({ seat }) => make("th.n", { scope: "col" }, this.#player(seat)));
      const row = ({ name, chances }) => make("tr", {}, make("th", { scope: "row" }, name), chances.map((chance) => make("td.n", {}, this.figures.percent(chance))));
      fill(table, make("thead", {}, make("tr", {}, make("td"), seats)), make("tbody", {}, this.turns().map(row)));
    };
    return make("details.in-figures", { ontoggle: write }, make("summary", {}, this.texts.say("in_figures")), make("div.wide-table", {}, table));
  }
}
