// The page's own words. What games are called, what stands on cards and how a move is told comes from the rulesets.

const TEXTS = {
  en: {
    stele: "Stele",
    motto: "Every move carved in stone",
    skip: "Skip to the content",
    lobby: "Lobby",
    audit: "Audit",
    replay: "Replay",
    api: "API",
    language: "Langue",
    other_language: "Français",
    theme: "Light",
    theme_auto: "as the system",
    theme_light: "by day",
    theme_dark: "by night",
    loading: "One moment …",
    not_found: "There is nothing here.",
    home: "To the lobby",
    failed: "That did not work: {why}",
    offline: "The server cannot be reached.",
    again: "Try again",
  },
  fr: {
    stele: "Stele",
    motto: "Chaque coup gravé dans la pierre",
    skip: "Aller au contenu",
    lobby: "Accueil",
    audit: "Contrôle",
    replay: "Revoir",
    api: "API",
    language: "Language",
    other_language: "English",
    theme: "Lumière",
    theme_auto: "comme le système",
    theme_light: "de jour",
    theme_dark: "de nuit",
    loading: "Un instant…",
    not_found: "Il n'y a rien ici.",
    home: "Vers l'accueil",
    failed: "Cela n'a pas marché : {why}",
    offline: "Le serveur ne répond pas.",
    again: "Réessayer",
  },
};

export const LANGUAGES = Object.keys(TEXTS);

export class Texts {
  constructor(language) {
    this.language = language;
  }

  /** Add the words of a view: `{en: {…}, fr: {…}}`. */
  static learn(words) {
    for (const language of LANGUAGES) Object.assign(TEXTS[language], words[language]);
  }

  /** A text, its blanks filled: `say("failed", {why})`. */
  say(key, members = {}) {
    const text = TEXTS[this.language][key];
    if (text === undefined) throw new Error(`no text is called ${key}`);
    return text.replace(/\{(\w+)\}/g, (_, name) => String(members[name]));
  }

  /** `say("card", …)` for one and `say("card_s", …)` for several, with the number as `{n}`. */
  count(key, n, members = {}) {
    const one = this.language === "fr" ? n < 2 : n === 1;
    return this.say(one ? key : `${key}_s`, { n, ...members });
  }
}
