// Learning a game: its lessons, and its rules to read.

import { button, fill, make } from "../elements.js";
import { GuideView } from "../parts/guide_view.js";
import { finished, playNow, startLesson } from "../parts/lesson.js";

export async function show(root, { ruleset }, app) {
  const { api, texts, seats } = app;
  const [guide, lessons, rulesets] = await Promise.all([api.guide(ruleset), api.lessons(ruleset), api.rulesets()]);
  const game = rulesets.find(({ id }) => id === ruleset).names[app.lang];
  app.title(texts.say("learn_title", { game }));
  const wrong = make("p.refusal", { role: "alert", hidden: true });
  const attempt = (work) => async (event) => {
    event.target.disabled = true;
    try {
      await work();
    } catch (problem) {
      wrong.textContent = problem.status ? problem.message : texts.say("offline");
      wrong.hidden = false;
      event.target.disabled = false;
    }
  };
  const done = finished();
  /** The latest game of a lesson that this browser has begun and not ended. */
  const begun = ({ id, steps }) =>
    seats.games().find(([, about]) => about.ruleset === ruleset && about.lesson?.id === id && about.lesson.step < steps.length)?.[0];
  const row = (lesson) => {
    const held = begun(lesson);
    const key = held ? "lesson_resume" : done.has(`${ruleset}/${lesson.id}`) ? "lesson_again" : "lesson_start";
    const go = held ? () => app.go(`#/games/${held}`) : () => startLesson(app, ruleset, lesson);
    const notes = [texts.count("lesson_steps", lesson.steps.length), done.has(`${ruleset}/${lesson.id}`) && texts.say("lesson_done")];
    return make(
      "li",
      { data: { lesson: lesson.id } },
      make(
        "div",
        {},
        make("h3", {}, lesson.title),
        make("p", {}, lesson.about),
        make("p.quiet.small", {}, notes.filter(Boolean).join(" · ")),
      ),
      button(texts.say(key), attempt(go), { kind: "primary", "aria-label": `${texts.say(key)}: ${lesson.title}` }),
    );
  };
  fill(
    root,
    make("h1", {}, texts.say("learn_title", { game })),
    wrong,
    lessons.length > 0 &&
      make(
        "section.panel",
        {},
        make("h2", {}, texts.say("lessons")),
        make("p.quiet", {}, texts.say("lessons_about")),
        make("ol.lessons", {}, lessons.map(row)),
      ),
    make(
      "div.row",
      {},
      button(texts.say("play_now"), attempt(() => playNow(app, ruleset)), { id: "play-now" }),
      make("a.button", { href: `#/create?ruleset=${ruleset}` }, texts.say("with_friends")),
    ),
    make("section.panel", {}, make("h2", {}, texts.say("guide_title", { game })), new GuideView(guide, texts).root),
  );
}
