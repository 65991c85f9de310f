// The page: which view stands at which address, and what all views share.

import { Api, Problem, Unreachable } from "./api.js";
import { button, draw, fill, make } from "./elements.js";
import * as seats from "./seat_storage.js";
import { LANGUAGES, Texts } from "./texts.js";
import * as words from "./words.js";

// Each view is a module that exports `show(root, params, app)`, which draws into the root and returns how it is left.
const ROUTES = [
  [/^\/$/, "lobby", []],
  [/^\/create$/, "create", []],
  [/^\/learn\/([\w-]+)$/, "learn", ["ruleset"]],
  [/^\/join\/([\w-]+)(?:\/([\w-]+))?$/, "join", ["id", "code"]],
  [/^\/games\/([\w-]+)$/, "game", ["id"]],
  [/^\/seat\/([\w-]+)\/(\d+)$/, "seat", ["id", "seat"]],
  [/^\/watch\/([\w-]+)(?:\/([\w-]+))?$/, "watch", ["id", "code"]],
  [/^\/games\/([\w-]+)\/replay$/, "replay", ["id"]],
  [/^\/games\/([\w-]+)\/audit$/, "audit", ["id"]],
  [/^\/audit$/, "audit", []],
];
const PATHS = {
  play: (id) => `#/games/${id}`,
  replay: (id) => `#/games/${id}/replay`,
  audit: (id) => (id ? `#/games/${id}/audit` : "#/audit"),
  g: (id, version) => (version ? `#/games/${id}/replay?at=${version}` : `#/games/${id}`),
  new: (ruleset) => `#/create?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), ruleset })}`,
};
const THEMES = ["auto", "light", "dark"];
const LIGHTS = {
  auto: "M12 3a9 9 0 0 1 0 18z",
  light: "M12 8a4 4 0 1 1 0 8a4 4 0 0 1 0-8z",
  dark: "M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18z",
};

const darkness = matchMedia("(prefers-color-scheme: dark)");
const main = document.getElementById("main");
let leave = () => {};
let showing = 0;

const app = {
  api: null,
  seats,
  texts: null,
  words,
  lang: "en",
  /** "light" or "dark": what boards are drawn in. */
  theme: "light",
  /** Go to an address after the `#`. */
  go(hash) {
    if (location.hash === hash) route();
    else location.hash = hash;
  },
  /** The title of the window. */
  title(text) {
    document.title = text ? `${text} · Stele` : "Stele";
  },
};

/** What stands at an address: `[view, params]`, or null. */
export function find(hash) {
  const [path, search = ""] = (hash.replace(/^#/, "") || "/").split("?");
  for (const [pattern, view, names] of ROUTES) {
    const match = pattern.exec(path);
    if (!match) continue;
    const params = Object.fromEntries(new URLSearchParams(search));
    names.forEach(
      (name, index) => match[index + 1] !== undefined && (params[name] = decodeURIComponent(match[index + 1])),
    );
    return [view, params];
  }
  return null;
}

async function route() {
  const turn = ++showing;
  leave();
  leave = () => {};
  const root = make("div.view");
  fill(main, root);
  app.title("");
  const place = find(location.hash);
  if (!place) return fill(root, notice(app.texts.say("not_found")));
  const [view, params] = place;
  root.classList.add(view);
  const waiting = setTimeout(
    () => root.childElementCount || fill(root, make("p.quiet", {}, app.texts.say("loading"))),
    300,
  );
  try {
    const { show } = await load(view);
    if (turn !== showing) return;
    const left = (await show(root, params, app)) ?? (() => {});
    if (turn === showing) leave = left;
    else left();
    if (turn === showing && !root.contains(document.activeElement)) main.focus({ preventScroll: true });
  } catch (failure) {
    if (turn !== showing) return;
    const why = failure instanceof Unreachable ? app.texts.say("offline") : failure.message;
    fill(root, notice(why));
    if (!(failure instanceof Problem || failure instanceof Unreachable)) throw failure;
  } finally {
    clearTimeout(waiting);
  }
}

async function load(view) {
  try {
    return await import(`./views/${view}.js`);
  } catch (failure) {
    throw failure instanceof TypeError ? new Unreachable(failure) : failure;
  }
}

const notice = (text) =>
  make(
    "section.panel.notice",
    { role: "alert" },
    make("p", {}, text),
    make("p", {}, make("a", { href: "#/" }, app.texts.say("home"))),
  );

// -- language and light ----------------------------------------------------------------------------------------------

function usualLanguage() {
  const wished =
    seats.wish("lang") ?? navigator.languages.map((each) => each.slice(0, 2)).find((each) => LANGUAGES.includes(each));
  return LANGUAGES.includes(wished) ? wished : "en";
}

function speak(language) {
  app.lang = language;
  app.texts = new Texts(language);
  app.api = new Api(language);
  document.documentElement.lang = language;
  document.getElementById("skip").textContent = app.texts.say("skip");
  drawHeader();
}

function light() {
  const wished = seats.wish("theme", "auto");
  app.theme = wished === "auto" ? (darkness.matches ? "dark" : "light") : wished;
  document.documentElement.dataset.theme = app.theme;
}

function drawHeader() {
  const say = (key) => app.texts.say(key);
  const wished = seats.wish("theme", "auto");
  const next = THEMES[(THEMES.indexOf(wished) + 1) % THEMES.length];
  const theme = make(
    "button.plain",
    {
      type: "button",
      id: "theme",
      title: say(`theme_${wished}`),
      "aria-label": `${say("theme")}: ${say(`theme_${wished}`)}`,
      onclick: () => {
        seats.setWish("theme", next);
        light();
        drawHeader();
        document.getElementById("theme").focus();
        route();
      },
    },
    draw(
      "svg",
      { viewBox: "0 0 24 24", class: "lamp-sign", "aria-hidden": "true" },
      draw("circle", { cx: 12, cy: 12, r: 9 }),
      draw("path", { d: LIGHTS[wished] }),
    ),
  );
  const other = LANGUAGES.find((each) => each !== app.lang);
  fill(
    document.getElementById("top"),
    make(
      "a.brand",
      { href: "#/", "aria-label": say("stele") },
      make("img", { src: "/web/icon.svg", alt: "", width: 28, height: 28 }),
      make("span", {}, say("stele")),
    ),
    make(
      "nav",
      { "aria-label": say("stele") },
      make("a", { href: "#/" }, say("lobby")),
      make("a", { href: "#/audit" }, say("audit")),
      make("a", { href: "/docs" }, say("api")),
    ),
    make(
      "div.wishes",
      {},
      theme,
      button(
        say("other_language"),
        () => {
          seats.setWish("lang", other);
          speak(other);
          route();
        },
        { kind: "plain", lang: other, id: "other-language" },
      ),
    ),
  );
}

// -- start -----------------------------------------------------------------------------------------------------------

/** `/play/ID`, `/g/ID`, `/new/RULESET` … lead to addresses after the `#`; one that is there already says more. */
function fromPath() {
  const [, kind, ...rest] = location.pathname.split("/");
  if (kind in PATHS) history.replaceState(null, "", `/${location.hash || PATHS[kind](...rest)}`);
}

fromPath();
light();
speak(usualLanguage());
darkness.addEventListener("change", () => {
  light();
  route();
});
addEventListener("hashchange", route);
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
if ("serviceWorker" in navigator)
  navigator.serviceWorker.register(new URL("./offline.js", import.meta.url), { scope: "/" }).catch(() => {});
route();
