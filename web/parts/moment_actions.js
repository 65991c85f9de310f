// What can be done with a moment of a replay: play on from it, hand it on, keep it as a picture, and the game as a film.

import { button, make } from "../elements.js";
import { pngFile, save, svgFile } from "../downloads.js";
import { FilmMaker } from "./film.js";
import { PlayOn } from "./play_on.js";

export class Moment {
  /** `replay` has `at`, `link`, `story` and `boardAt(version)`; `act(what)` does something and tells if it fails. */
  constructor({ app, game, ruleset, replay, act }) {
    Object.assign(this, { app, game, replay, act, texts: app.texts });
    this.playOn = new PlayOn({ app, game, ruleset, viewer: () => replay.viewer, version: () => replay.at });
    this.film = new FilmMaker({ texts: app.texts, scenes: () => this.#scenes(), name: () => this.#fileName });
    this.dialogs = [this.playOn.dialog, this.film.dialog];
    this.root = this.#build();
  }

  close() {
    this.film.stop();
  }

  #build() {
    const { texts, act } = this;
    const copied = make("span.quiet.small", { role: "status" });
    const copy = async () => {
      await navigator.clipboard.writeText(this.replay.link);
      copied.textContent = texts.say("copied_moment");
    };
    return make(
      "section.panel.moment-actions",
      { "aria-label": texts.say("this_moment") },
      make(
        "div.row",
        {},
        this.game.settled && button(texts.say("play_on"), () => act(() => this.playOn.ask()), { kind: "primary", id: "play-on" }),
        button(texts.say("copy_moment"), () => act(copy), { id: "copy-moment" }),
        copied,
      ),
      this.#keeping(),
      this.game.settled && make("p.small", {}, make("a", { href: `#/games/${this.game.id}/audit` }, texts.say("to_audit_of"))),
    );
  }

  #keeping() {
    const { texts, act, game } = this;
    return make(
      "details.keep",
      {},
      make("summary", {}, texts.say("keep")),
      make(
        "div.row",
        {},
        button(texts.say("keep_png"), () => act(() => this.#keep("png")), { id: "keep-png" }),
        button(texts.say("keep_svg"), () => act(() => this.#keep("svg")), { id: "keep-svg" }),
        button(texts.say("keep_film"), () => act(() => this.film.ask()), { id: "keep-film" }),
      ),
      make("p.quiet.small", {}, texts.say("film_command"), " ", make("code", {}, `stele picture ${game.id} ${game.ruleset}.gif`)),
    );
  }

  get #fileName() {
    return `${this.game.ruleset}-${this.game.id}`;
  }

  async #keep(kind) {
    const { at } = this.replay;
    const text = await this.replay.boardAt(at);
    save(kind === "svg" ? svgFile(text) : await pngFile(text), `${this.#fileName}-${at}.${kind}`);
  }

  /** Everything that is seen and told, from the beginning to the end. */
  #scenes() {
    const { replay } = this;
    const { first, last, entries } = replay.story;
    const words = ({ sentences, headline }) => sentences.join(" ") || headline;
    return {
      count: last - first + 1,
      async *all() {
        for (let version = first; version <= last; version++)
          yield { board: await replay.boardAt(version), words: words(entries.get(version) ?? { sentences: [], headline: "" }) };
      },
    };
  }
}
