// Makes a film of a game, in the browser, and hands it over as a file.

import { button, fill, make } from "../elements.js";
import { ending, filmFile, kindOfFilm, save } from "../downloads.js";

export class FilmMaker {
  /** `scenes()` gives `{count, all()}`, `name()` what the file is called. */
  constructor({ texts, scenes, name }) {
    Object.assign(this, { texts, scenes, name });
    this.making = null;
    this.dialog = make("dialog.panel.film", { "aria-label": texts.say("keep_film"), onclose: () => this.stop() });
  }

  ask() {
    const { texts, dialog } = this;
    if (!kindOfFilm()) {
      fill(dialog, make("p", {}, texts.say("no_films")), button(texts.say("close"), () => dialog.close()));
      dialog.showModal();
      return;
    }
    const { count } = this.scenes();
    this.progress = make("progress", { max: count, value: 0, "aria-label": texts.say("keep_film"), hidden: true });
    this.start = button(texts.say("film_start"), () => this.#make(), { kind: "primary", id: "film-start" });
    fill(
      dialog,
      make("h2", {}, texts.say("keep_film")),
      make("p", {}, texts.say("film_about", { seconds: Math.ceil(count / 2) })),
      this.progress,
      make("div.row", {}, this.start, button(texts.say("close"), () => dialog.close())),
    );
    dialog.showModal();
  }

  async #make() {
    this.stop();
    const making = (this.making = new AbortController());
    this.progress.hidden = false;
    this.start.disabled = true;
    const style = getComputedStyle(document.documentElement);
    const colours = { ground: style.getPropertyValue("--panel"), ink: style.getPropertyValue("--text") };
    const progress = (done) => (this.progress.value = done);
    const file = await filmFile(this.scenes().all(), { colours, progress, signal: making.signal });
    this.start.disabled = false;
    if (!file) return;
    save(file, `${this.name()}.${ending(file.type)}`);
    this.dialog.close();
  }

  stop() {
    this.making?.abort();
    this.making = null;
  }
}
