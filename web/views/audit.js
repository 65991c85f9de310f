// Audit: what holds of a game. The server's word, and what this browser finds by itself in the record.

import { button, fill, make } from "../elements.js";
import { save } from "../downloads.js";
import { loadStylesheet } from "../stylesheets.js";
import { TEXTS } from "../audit_texts.js";
import { Texts } from "../texts.js";
import { checkLogHistory } from "../log_history.js";
import { readKeys, readLogKeys, readRecord, verifyBytes } from "../verify.mjs";
import { checkWitnesses } from "../witnesses.js";

Texts.learn(TEXTS);

const KEYS = "/.well-known/stele-keys.json";
const ORDER = ["chain", "schema", "commitment", "random", "facts", "states", "components", "outcome", "clocks", "settlement", "signature", "logged", "history", "parent", "witness", "seal"];
const SIGNS = { pass: "✓", fail: "✗", not_checked: "–" };
const LARGEST = 16_000_000;

export async function show(root, params, app) {
  await loadStylesheet(new URL("./audit.css", import.meta.url));
  const audit = new Audit(root, app);
  if (params.id) await audit.ofGame(params.id);
  else audit.ofFiles();
}

class Audit {
  constructor(root, app) {
    Object.assign(this, { root, app, texts: app.texts });
  }

  // -- a game of this server ------------------------------------------------------------------------------------------

  async ofGame(id) {
    const { api, seats } = this.app;
    const [seat] = seats.seatsIn(id);
    const viewer = { token: seat === undefined ? null : seats.token(id, seat), code: seats.of(id).code ?? null };
    const game = await api.game(id, viewer, { include: null });
    const name = (await api.ruleset(game.ruleset)).names[this.app.lang][game.ruleset];
    const title = this.texts.say("audit_of", { game: name });
    this.app.title(title);
    if (!game.settled) {
      return fill(this.root, this.#head(title), make("section.panel", {}, make("p", {}, this.texts.say("not_settled")), make("a", { href: `#/games/${id}` }, this.texts.say("to_the_game"))), this.#witnessesSoFar(id));
    }
    this.zone = make("div.found", { "aria-live": "polite" }, make("p.quiet", {}, this.texts.say("checking")));
    fill(this.root, this.#head(title), this.zone);
    const { token } = viewer;
    const [audit, record, keys] = await Promise.all([
      api.json("GET", `/v1/games/${id}/audit`, { token }),
      api.request("GET", `/v1/games/${id}/record`, { token }).then((answer) => answer.arrayBuffer()),
      api.request("GET", KEYS).then((answer) => answer.arrayBuffer()),
    ]);
    const bytes = new Uint8Array(record);
    const logKeys = readLogKeys(new Uint8Array(keys));
    const here = await this.#verify(bytes, await readKeys(new Uint8Array(keys)), logKeys);
    const history = await checkLogHistory(api, logKeys);
    if (history) here.push(history);
    this.#draw({ here, server: audit.checks, fairness: audit.fairness, actions: this.#recordActions(id, game.ruleset, bytes) });
  }

  #recordActions(id, ruleset, bytes) {
    const { texts } = this;
    return make(
      "section.panel.by-yourself",
      {},
      make("h2", {}, texts.say("by_yourself")),
      make("p", {}, texts.say("by_yourself_about")),
      make(
        "div.row",
        {},
        button(texts.say("keep_record"), () => save(new Blob([bytes], { type: "application/json" }), `${ruleset}-${id}.json`), { id: "keep-record" }),
        make("a.button", { href: KEYS, download: "stele-keys.json" }, texts.say("keep_keys")),
        make("a.button", { href: `#/games/${id}/replay` }, texts.say("replay")),
      ),
      make("p.small", {}, make("code", {}, `node verify.mjs ${ruleset}-${id}.json --key stele-keys.json`)),
    );
  }

  #witnessesSoFar(id) {
    const count = Object.keys(this.app.seats.witnesses(id)).length;
    return count > 0 && make("p.quiet", {}, this.texts.count("heads_kept", count));
  }

  // -- files ----------------------------------------------------------------------------------------------------------

  ofFiles() {
    const { texts } = this;
    this.app.title(texts.say("audit"));
    this.zone = make("div.found", { "aria-live": "polite" });
    this.keys = new Map();
    this.logKeys = new Map();
    const input = make("input", { type: "file", id: "record-file", multiple: true, accept: ".json,application/json", onchange: () => this.#take(input.files) });
    const drop = make(
      "label.panel.drop",
      {
        for: "record-file",
        ondragover: (event) => {
          event.preventDefault();
          drop.classList.add("over");
        },
        ondragleave: () => drop.classList.remove("over"),
        ondrop: (event) => {
          event.preventDefault();
          drop.classList.remove("over");
          this.#take(event.dataTransfer.files);
        },
      },
      make("strong", {}, texts.say("drop_here")),
      make("span.quiet", {}, texts.say("drop_about")),
      input,
    );
    fill(this.root, this.#head(texts.say("audit")), drop, this.zone);
  }

  /** Files that were dropped or chosen: records, and keys of servers beside them. */
  async #take(files) {
    fill(this.zone, make("p.quiet", {}, this.texts.say("checking")));
    const records = [];
    for (const file of files) {
      if (file.size > LARGEST) {
        return fill(this.zone, make("p.banner.fail", { role: "alert" }, this.texts.say("too_large", { name: file.name })));
      }
      const bytes = new Uint8Array(await file.arrayBuffer());
      const keys = await readKeys(bytes).catch(() => null);
      if (keys) {
        for (const [id, key] of keys) this.keys.set(id, key);
        for (const [origin, key] of readLogKeys(bytes)) this.logKeys.set(origin, key);
      } else records.push({ name: file.name, bytes });
    }
    const latest = records.at(-1) ?? this.latest;
    if (!latest) return fill(this.zone, make("p", {}, this.texts.say("only_keys")));
    this.latest = latest;
    const here = await this.#verify(latest.bytes, this.keys, this.logKeys);
    this.#draw({ here, title: latest.name, fairness: fairnessOf(latest.bytes), actions: this.#askServer(latest.bytes, here) });
  }

  /** The rules are with a server: one may ask it, and then sends the record there. */
  #askServer(bytes, here) {
    const { texts } = this;
    const refusal = make("p.danger", { role: "alert", hidden: true });
    const ask = async () => {
      try {
        const audit = await this.app.api.json("POST", "/v1/records", { body: JSON.parse(new TextDecoder().decode(bytes)) });
        this.#draw({ here, server: audit.checks, title: this.latest.name, fairness: audit.fairness });
      } catch (failure) {
        refusal.textContent = texts.say("failed", { why: failure.message });
        refusal.hidden = false;
      }
    };
    return make("section.panel", {}, make("p", {}, texts.say("ask_server_about")), button(texts.say("ask_server"), ask, { id: "ask-server" }), refusal);
  }

  // -- checking -------------------------------------------------------------------------------------------------------

  /** What this browser finds: by the verifier, and by what it saw itself while the game was played. */
  async #verify(bytes, keys, logKeys) {
    const checks = await verifyBytes(bytes, { keys, logKeys });
    try {
      const record = readRecord(bytes);
      const { seats } = this.app;
      checks.push(...(await checkWitnesses(record, { heads: seats.witnesses(record.game), seats: seats.of(record.game).seats })));
    } catch {
      // it is no record: the verifier says so
    }
    return checks;
  }

  // -- drawing --------------------------------------------------------------------------------------------------------

  #head(title) {
    return make("header.bar", {}, make("h1", {}, title));
  }

  #draw({ here, server = null, fairness, title = null, actions = null }) {
    const { texts } = this;
    const all = [...here, ...(server ?? [])];
    const failed = all.some(({ verdict }) => verdict === "fail");
    const isWhole = server?.every(({ verdict }) => verdict === "pass");
    const kind = failed ? "fail" : isWhole ? "pass" : server ? "incomplete" : "partly";
    fill(
      this.zone,
      make(`p.banner.${failed ? "fail" : "pass"}`, { role: failed ? "alert" : "status", data: { verdict: kind } }, make("span.sign", { "aria-hidden": "true" }, failed ? "✗" : "✓"), make("span", {}, title && make("strong", {}, `${title} `), texts.say(`verdict_${kind}`))),
      make(
        "div.columns",
        {},
        make("section.panel.checks", {}, make("h2", {}, texts.say("the_checks")), this.#table(here, server)),
        make("div.beside", {}, !failed && fairness !== undefined && this.#fairness(fairness), this.#seen(here), actions),
      ),
    );
  }

  #table(here, server) {
    const { texts } = this;
    const byName = (checks) => new Map((checks ?? []).map((each) => [each.check, each]));
    const [mine, theirs] = [byName(here), byName(server)];
    const names = ORDER.filter((name) => mine.has(name) || theirs.has(name));
    const column = (key) => make("th", { scope: "col" }, texts.say(key));
    return make(
      "table",
      {},
      make("thead", {}, make("tr", {}, column("check"), column("by_browser"), server && column("by_server"))),
      make(
        "tbody",
        {},
        names.map((name) => {
          const found = [mine.get(name), theirs.get(name)];
          const worst = found.some((each) => each?.verdict === "fail") ? "fail" : "fine";
          return make(
            `tr.${worst}`,
            { data: { check: name } },
            make("th", { scope: "row" }, make("span.name", {}, texts.say(`check_${name}`)), make("span.quiet.small", {}, texts.say(`check_${name}_about`)), found.map((each) => each?.verdict === "fail" && this.#fault(each))),
            this.#verdict(found[0]),
            server && this.#verdict(found[1]),
          );
        }),
      ),
    );
  }

  #fault({ entry, detail }) {
    return make("span.fault", {}, entry === null ? "" : `${this.texts.say("at_entry", { n: entry })} `, detail && make("span", { lang: "en" }, detail));
  }

  #verdict(found) {
    if (!found) return make("td", {}, make("span.quiet", {}, this.texts.say("not_asked")));
    const text = this.texts.say(found.detail === "needs the rules" ? "needs_rules" : `found_${found.verdict}`);
    return make("td", {}, make(`span.verdict.${found.verdict}`, {}, make("span", { "aria-hidden": "true" }, SIGNS[found.verdict]), ` ${text}`));
  }

  #fairness(fairness) {
    const kind = fairness ?? "none";
    return make(
      "section.panel.fairness",
      {},
      make("h2", {}, this.texts.say("fairness")),
      make("p", {}, make("strong", {}, this.texts.say(`fair_${kind}`))),
      make("p", {}, this.texts.say(`fair_${kind}_about`)),
    );
  }

  #seen(here) {
    const { texts } = this;
    const heads = here.find(({ check }) => check === "witness");
    const seal = here.find(({ check }) => check === "seal");
    return make(
      "section.panel.seen",
      {},
      make("h2", {}, texts.say("you_saw")),
      make("p", {}, heads ? texts.count("heads_seen", heads.count) : texts.say("no_heads"), " ", heads && texts.say(heads.verdict === "pass" ? "heads_hold" : "heads_fail", { n: heads.entry })),
      seal && make("p", {}, texts.say(seal.verdict === "pass" ? "seal_holds" : "seal_fails")),
    );
  }
}

/** What a settlement says of who could have chosen the deal; undefined where there is none to read. */
function fairnessOf(bytes) {
  try {
    return readRecord(bytes).entries.at(-1).data.audit?.fairness;
  } catch {
    return undefined;
  }
}
