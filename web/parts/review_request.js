// Requests a review and follows its progress; readers who may not request one look whether there is one.

import { announce, button, fill, make } from "../elements.js";
import { figuresIn } from "./percentages.js";
import { TEXTS } from "../review_texts.js";
import { Texts } from "../texts.js";

Texts.learn(TEXTS);

const PAUSE = 1000; // milliseconds between two looks at how far it is

export class ReviewRequest {
  /** `viewer()` says who reads, `found(review)` is told the whole and gives back what leads to it. */
  constructor({ app, game, viewer, found }) {
    Object.assign(this, { app, game, viewer, found, texts: app.texts });
    this.figures = figuresIn(app.lang);
    this.looking = new AbortController();
    this.root = make("section.panel.asking", { "aria-label": app.texts.say("review") });
    this.#idle();
  }

  /** Seats may have their game reviewed. */
  get mayBegin() {
    return this.app.seats.seatsIn(this.game.id).length > 0;
  }

  close() {
    this.looking.abort();
  }

  /** Show the review if there is one, or how far it is. */
  look() {
    return this.#follow((how) => this.app.api.review(this.game.id, this.viewer(), how));
  }

  begin() {
    return this.#follow((how) => this.app.api.beginReview(this.game.id, this.viewer(), how));
  }

  async cancel() {
    this.looking.abort();
    try {
      await this.app.api.endReview(this.game.id, this.viewer());
      this.#idle(this.texts.say("review_cancelled"));
    } catch (failure) {
      this.#idle(this.texts.say("failed", { why: failure.message }));
    }
  }

  /** Ask once, and again until it is there, refused or called off. */
  async #follow(ask) {
    this.looking.abort();
    const { signal } = (this.looking = new AbortController());
    this.#busy();
    let isUnderWay = false;
    try {
      for (let next = ask; ; next = (how) => this.app.api.review(this.game.id, this.viewer(), how)) {
        const review = await next({ signal });
        if (signal.aborted) return;
        if (review.status === "failed") return this.#idle(this.texts.say("review_failed"));
        if (review.curve) return await this.#done(review);
        isUnderWay = true;
        this.#tell(review);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    } catch (failure) {
      if (!signal.aborted) this.#idle(this.#why(failure, isUnderWay));
    }
  }

  #why(failure, isUnderWay) {
    if (failure.code === "no_review") return this.texts.say(isUnderWay ? "review_cancelled" : "review_none");
    return this.texts.say("failed", { why: failure.message });
  }

  // -- what is shown ----------------------------------------------------------------------------------------------------

  #draw(...children) {
    const hadFocus = this.root.contains(document.activeElement);
    fill(this.root, ...children);
    if (hadFocus) this.root.querySelector("button")?.focus({ preventScroll: true });
  }

  #idle(problem = null) {
    const { texts, mayBegin } = this;
    const [key, act] = mayBegin ? ["review_ask", () => this.begin()] : ["review_look", () => this.look()];
    this.#draw(
      button(texts.say(key), act, { id: "review" }),
      problem ? make("p.small", { role: "alert" }, problem) : make("p.small.quiet", {}, texts.say(mayBegin ? "review_about" : "review_who")),
    );
  }

  #busy() {
    const { texts } = this;
    this.bar = make("progress", { max: 100, value: 0, "aria-label": texts.say("review") });
    this.share = make("p.small", {}, texts.say("loading"));
    this.#draw(this.share, make("div.row", {}, this.bar, this.mayBegin && button(texts.say("review_cancel"), () => this.cancel(), { id: "review-cancel" })));
  }

  #tell({ status, progress }) {
    const { texts } = this;
    this.bar.value = progress;
    this.share.textContent = status === "waiting" ? texts.say("review_waiting") : texts.say("review_running", { share: this.figures.percent(10 * progress) });
  }

  async #done(review) {
    const { texts } = this;
    const read = await this.found(review);
    const count = texts.count("turned", review.turning_points.length);
    this.#draw(make("p", {}, make("strong", {}, count)), button(texts.say("review_read"), read, { id: "review-read" }));
    announce(`${texts.say("review_ready")} ${count}.`);
  }
}
