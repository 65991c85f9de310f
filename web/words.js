// Tells a game in sentences, in English and French: `stele-sentences-1`, as docs/sentences.md describes it.
//
//   const game = await (await fetch("/v1/rulesets/babel")).json();
//   const teller = new Teller(game, "fr", ["Ana", "Omar"]);
//   teller.event(frame.event, frame.view, frameBefore?.view);   // ["Ana déploie un Mède sur le chantier des Perses."]
//
// The same rules stand in replays/sentences.py and replays/grammar.py; both are held to the same vectors.

export const FORMAT = "stele-sentences-1";

const SEATS = new Set(["seat", "victim", "owner", "winner", "first_seat", "first_player", "target_seat"]);
const NUMBERS = {
  en: ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  fr: ["aucun", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"],
};

// -- languages ------------------------------------------------------------------------------------------------------

const readNoun = (data) => {
  if (typeof data === "string") return { one: data, many: data, bare: data, proper: true };
  const { one, kind, gender } = data;
  const many = data.many ?? (kind === "uncounted" ? one : `${one}s`);
  const alwaysMany = kind === "plural";
  return {
    one,
    many,
    bare: alwaysMany ? many : one,
    feminine: gender === "f",
    uncounted: kind === "uncounted",
    alwaysMany,
    proper: kind === "proper",
  };
};

const listed = (words, and) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${and} ${words.at(-1)}`;

const english = {
  semicolon: "; ",
  colon: ": ",
  listed: (words) => listed(words, "and"),
  isSingular: (number) => number === 1,
  polish: (literal) => literal,
  join: (text, filling) => text + filling.text,
  indefinite(noun) {
    if (noun.proper || noun.uncounted || noun.alwaysMany) return noun.bare;
    return `${/^[aeiou]/i.test(noun.one) ? "an" : "a"} ${noun.one}`;
  },
  definite(noun, many) {
    const word = many ? noun.many : noun.bare;
    return noun.proper ? word : `the ${word}`;
  },
  counted(number, noun) {
    if (noun.uncounted) return `${number} ${noun.one}`;
    if (number === 1 && (noun.alwaysMany || noun.proper)) return noun.bare;
    return `${NUMBERS.en[number] ?? number} ${number === 1 ? noun.one : noun.many}`;
  },
};

const VOWEL = /^(?:(?!onze\b)[aàâäeéèêëiîïoôöuùûüœæ]|y(?![aeiou]))/i;
const VOWEL_OF_A_NAME = /^(?:[aàâäeéèêëiîïoôöuùûüœæ]|y(?![aeiou])|h[éèêeiouy])/i;
const ELIDED = /(^|[\s('’])(d(?=e)|qu(?=e)|l(?=[ea])|s(?=e)|n(?=e)|j(?=e))[ea] $/i;
const BEFORE_AN_ARTICLE = /(^|[\s('’])(de|à) $/i;
const FLOWING = { "de le": "du", "de les": "des", "de des": "des", "à le": "au", "à les": "aux" };

const french = {
  semicolon: "\u00a0; ",
  colon: "\u00a0: ",
  listed: (words) => listed(words, "et"),
  isSingular: (number) => number < 2,
  polish: (literal) => literal.replace(/ (?=[;:!?»])|(?<=«) /g, "\u00a0"),
  indefinite(noun) {
    if (noun.proper) return noun.one;
    if (noun.alwaysMany) return `des ${noun.many}`;
    if (!noun.uncounted) return `${noun.feminine ? "une" : "un"} ${noun.one}`;
    return VOWEL.test(noun.one) ? `de l'${noun.one}` : `${noun.feminine ? "de la" : "du"} ${noun.one}`;
  },
  definite(noun, many) {
    if (noun.proper) return many ? noun.many : noun.one;
    if (many || noun.alwaysMany) return `les ${noun.many}`;
    return VOWEL.test(noun.one) ? `l'${noun.one}` : `${noun.feminine ? "la" : "le"} ${noun.one}`;
  },
  counted(number, noun) {
    if (noun.uncounted) return `${number} ${noun.one}`;
    if (number === 1 && (noun.alwaysMany || noun.proper)) return noun.bare;
    const word = `${NUMBERS.fr[number] ?? number}${number < 2 && noun.feminine ? "e" : ""}`;
    return `${word} ${number < 2 ? noun.one : noun.many}`;
  },
  join(text, { text: filling, article, person }) {
    const before = article ? BEFORE_AN_ARTICLE.exec(text) : null;
    const [first] = filling.split(" ", 1);
    const flowing = before && FLOWING[`${before[2].toLowerCase()} ${first}`];
    if (flowing) {
      const capital = before[2][0] !== before[2][0].toLowerCase();
      const word = capital ? flowing[0].toUpperCase() + flowing.slice(1) : flowing;
      return text.slice(0, before.index) + before[1] + word + filling.slice(first.length);
    }
    const elided = (person ? VOWEL_OF_A_NAME : VOWEL).test(filling) ? ELIDED.exec(text) : null;
    return elided ? `${text.slice(0, elided.index)}${elided[1]}${elided[2]}'${filling}` : text + filling;
  },
};

const GRAMMARS = { en: english, fr: french };

// -- templates ------------------------------------------------------------------------------------------------------

const isMapping = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const size = (value) => (typeof value === "number" ? value : isMapping(value) ? Object.keys(value).length : value.length);
const own = (mapping, key) => (Object.hasOwn(mapping, key) ? mapping[key] : undefined);

/** What a path leads to; null if nowhere. */
export function look(members, path) {
  if (/^\d+$/.test(path)) return Number(path);
  let value = members;
  for (const step of path.split(".")) {
    const key = step.startsWith("[") ? look(members, step.slice(1, -1)) : step;
    if (isMapping(value)) value = own(value, String(key)) ?? null;
    else if (!Array.isArray(value)) return null;
    else value = key === "#" ? value.length : (value[Number(key)] ?? null);
  }
  return value;
}

function equal(one, other) {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => equal(item, other[index]));
  if (!isMapping(one) || !isMapping(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => equal(one[key], own(other, key)));
}

const holds = (conditions, members) =>
  Object.entries(conditions).every(([path, wanted]) => {
    const value = typeof wanted === "string" && wanted.startsWith("=") ? look(members, wanted.slice(1)) : wanted;
    return equal(look(members, path), value);
  });

function choose(template, members) {
  while (typeof template !== "string") {
    const fitting = template.slice(0, -1).find(([conditions]) => holds(conditions, members));
    template = fitting ? fitting[1] : template.at(-1);
  }
  return template;
}

const keys = (word, path) => [`${path}.${word}`, `${path.slice(path.lastIndexOf(".") + 1)}.${word}`, word];

/** Fills templates in one language, with the words of one game and the names of its players. */
export class Sentences {
  /** `game` is a ruleset as the API describes it; `players` their names by seat, null where there is none. */
  constructor(game, language, players) {
    this.grammar = GRAMMARS[language];
    this.names = game.names[language];
    this.nouns = game.nouns[language];
    this.templates = game.sentences[language];
    this.players = players;
  }

  sentence(template, members) {
    const text = this.fill(template, members);
    const beginsWithAName = this.players.some((name) => name && text.startsWith(name));
    const [first = ""] = text;
    return beginsWithAName ? text : first.toUpperCase() + text.slice(first.length);
  }

  fill(template, members) {
    let text = "";
    let end = 0;
    const chosen = choose(template, members);
    for (const blank of chosen.matchAll(/\{([^{}:]+)(?::([^{}]*))?\}/g)) {
      text += this.grammar.polish(chosen.slice(end, blank.index));
      text = this.grammar.join(text, this.#blank(blank[1], blank[2] ?? "", members));
      end = blank.index + blank[0].length;
    }
    return text + this.grammar.polish(chosen.slice(end));
  }

  #blank(path, way, members) {
    if (path.startsWith(".")) return { text: this.fill(this.templates[path], members) };
    const value = look(members, path);
    if (value === null) return { text: this.#word("hidden") };
    const member = path.slice(path.lastIndexOf(".") + 1);
    if (way === "player" || (!way && SEATS.has(member))) return { text: this.player(value), person: true };
    if (way === "players")
      return { text: this.grammar.listed(value.map((seat) => this.player(seat))), person: true };
    if (way.includes("|")) {
      const [one, several] = way.split("|");
      return { text: this.grammar.isSingular(size(value)) ? one : several };
    }
    const space = way.indexOf(" ");
    const [kind, argument] = space < 0 ? [way, ""] : [way.slice(0, space), way.slice(space + 1)];
    switch (kind) {
      case "by_seat":
        return { text: this.#bySeat(value, path, argument), person: true };
      case "each":
        return { text: this.#items(value, argument, members).join(this.grammar.semicolon) };
      case "n": {
        if (!argument) return { text: this.#counted(value, path) };
        const counted = argument.startsWith("[") ? look(members, argument.slice(1, -1)) : argument;
        return { text: this.grammar.counted(size(value), this.noun(counted)) };
      }
      case "text":
        return { text: String(value) };
      case "as":
        return { text: this.noun(String(value), argument).bare };
    }
    return { text: this.thing(value, path, way), article: way !== "" };
  }

  #bySeat(values, path, member) {
    const players = values.map((_, seat) => this.player(seat));
    const between = players.some((player) => /[0-9]$/.test(player)) ? this.grammar.colon : " ";
    const things = values.map((each) => this.thing(member ? look(each, member) : each, path));
    return players.map((player, seat) => player + between + things[seat]).join(this.grammar.semicolon);
  }

  #items(values, part, members) {
    return values
      .map((value, index) => ({ ...members, index, ...(isMapping(value) ? value : { value }) }))
      .map((inner) => this.fill(this.templates[part], inner))
      .filter((text) => text);
  }

  #counted(values, path) {
    const numbers = isMapping(values) ? Object.entries(values) : values.map((value) => [value, 1]);
    const counts = new Map();
    for (const [value, number] of numbers) {
      const noun = this.noun(value, path);
      const key = JSON.stringify(noun);
      counts.set(key, [(counts.get(key)?.[0] ?? 0) + number, noun]);
    }
    if (!counts.size) return this.#word("nothing");
    return this.grammar.listed([...counts.values()].map(([number, noun]) => this.grammar.counted(number, noun)));
  }

  #word(name) {
    return readNoun(this.nouns[`word.${name}`]).one;
  }

  /** Who sits there; a seat whose name is not known goes by its number. */
  player(seat) {
    return this.players[seat] || this.#word("seat").replace("{seat}", String(seat));
  }

  /** A value inside a sentence. */
  thing(value, path, way = "") {
    if (value === null) return this.#word("hidden");
    if (typeof value === "string") return this.#article(this.noun(value, path), way);
    if (Array.isArray(value))
      return this.grammar.listed(value.map((item) => this.thing(item, path, way))) || this.#word("nothing");
    return String(value);
  }

  #article(noun, way) {
    switch (way) {
      case "a":
        return this.grammar.indefinite(noun);
      case "the":
        return this.grammar.definite(noun, false);
      case "the many":
        return this.grammar.definite(noun, true);
      case "many":
        return noun.many;
    }
    return noun.bare;
  }

  noun(word, path = "") {
    const key = [...keys(word, path), word.replace(/\d+$/, "*")].find((each) => Object.hasOwn(this.nouns, each));
    return readNoun(key === undefined ? this.name(word, path) : this.nouns[key]);
  }

  /** The label of an id: what stands on a button or above a pile. */
  name(word, path = "") {
    const key = keys(word, path).find((each) => Object.hasOwn(this.names, each));
    return key === undefined ? word : this.names[key];
  }
}

/** Thousandths as people read them. */
export const percent = (perMille) => Math.floor((perMille + 5) / 10);

/** Tells the events of one game in one language. */
export class Teller {
  constructor(game, language, players) {
    this.sentences = new Sentences(game, language, players);
  }

  /** An event in sentences; with the views after and before it, also what has changed between them. */
  event(event, view = null, before = null) {
    const around = { view, before };
    const told = event.type === "action_taken" ? [] : [this.tell(`entry:${event.type}`, { ...around, ...event.data })];
    let changes = this.#changes(view, before);
    for (const fact of event.data.facts ?? []) {
      told.push(...changes.filter(({ later }) => later.includes(fact.type)).map(({ text }) => text));
      changes = changes.filter(({ later }) => !later.includes(fact.type));
      told.push(this.tell(fact.type, { ...around, ...fact }));
    }
    return [...told, ...changes.map(({ text }) => text)].filter((sentence) => sentence);
  }

  /** Who did what kind of thing. */
  headline(event) {
    const { action } = event.data;
    const name = this.actor(event.actor);
    const actor = "seat" in event.actor ? name : name[0].toUpperCase() + name.slice(1);
    return action ? `${actor} · ${this.sentences.name(action.type, "action")}` : actor;
  }

  /** Who did something. */
  actor(actor) {
    const [[kind, who]] = Object.entries(actor);
    if (kind === "seat") return this.sentences.player(who);
    return this.sentences.noun(kind === "system" ? who : kind, "actor").one.replace("{host}", () => who);
  }

  /** A turning point of a review: what was played, and what would have been better by how much. */
  turningPoint({ seat, played, better }) {
    const [done, best] = [this.option(played), this.option(better)];
    return this.tell("review:turning_point", {
      seat,
      played: done,
      better: best === done ? null : best,
      chance: percent(played.chance),
      best: percent(better.chance),
    });
  }

  /** Something that a seat could do: by its label if that says all, else by what happens then. */
  option({ action, fact }) {
    const label = this.sentences.name(action.type, "action");
    return Object.keys(action).length === 1 ? label : this.fact(fact).replace(/\.+$/, "");
  }

  /** A fact alone, as a sentence. */
  fact(fact) {
    return this.tell(fact.type, fact);
  }

  tell(kind, members) {
    const template = own(this.sentences.templates, kind);
    if (template === undefined) throw new Error(`no sentence tells ${kind}`);
    return this.sentences.sentence(template, members);
  }

  #changes(view, before) {
    if (!view || !before) return [];
    const told = [];
    for (const [key, template] of Object.entries(this.sentences.templates)) {
      if (!key.startsWith("changed:")) continue;
      const [member, later = ""] = key.slice("changed:".length).split(" before ");
      const changed = view.players
        .map((player, seat) => ({ seat, now: player[member], was: before.players[seat][member] }))
        .filter(({ now, was }) => !equal(now, was));
      if (changed.length) {
        const text = this.sentences.sentence(template, { changed, view, before });
        told.push({ text, later: later.split(" ") });
      }
    }
    return told;
  }
}
