// Chooses one action of the list of legal ones, one step after another: a kind, then a value for each parameter.
//
// Every step keeps of the list what still fits, so whatever can be chosen is legal, and the same code serves every game.
// A choice is never changed: each step gives a new one, and the one before is what a player goes back to.

/** A value as one text, whatever the order of its members: what a part of a board names it by. */
export function written(value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify(value[key])}`);
  return `{${members.join(",")}}`;
}

const same = (one, other) => written(one ?? null) === written(other ?? null);
const distinct = (values) => [...new Map(values.map((value) => [written(value), value])).values()];

/** Lists that are told apart by the order of their items are chosen in that order. */
const sorted = (items) => items.map(written).sort().join("\n");
const isOrdered = (lists) => new Set(lists.map(sorted)).size < distinct(lists).length;

/** What is left of a list without these items (each as often as it stands there), or null if they are not all in it. */
function without(list, items, ordered) {
  if (ordered)
    return items.every((item, at) => at < list.length && same(item, list[at])) ? list.slice(items.length) : null;
  const rest = [...list];
  for (const item of items) {
    const at = rest.findIndex((each) => same(each, item));
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest;
}

/** Which parameters each kind of action has, in the order of its schema, and which of them are lists of items. */
export function grammarOf(schema) {
  const kinds = new Map();
  for (const { properties, required = [] } of schema.anyOf) {
    const names = [...new Set([...required, ...Object.keys(properties)])].filter((name) => name !== "type");
    const lists = new Set(names.filter((name) => properties[name].type === "array" && !isPair(properties[name])));
    kinds.set(properties.type.const, { names, lists });
  }
  return kinds;
}

/** A pair, such as a row and a column, is one value; all other lists are chosen item by item. */
const isPair = ({ minItems, maxItems }) => minItems === 2 && maxItems === 2;

export class Choice {
  #values = new Map();

  /** `actions` is the list of legal actions, `grammar` what grammarOf gives. */
  static among(actions, grammar) {
    return new Choice(actions, grammar, new Map(), []);
  }

  constructor(actions, grammar, progress, steps) {
    this.actions = actions;
    this.grammar = grammar;
    /** By kind of action, then by parameter: the value, or the items that have been chosen. */
    this.progress = progress;
    /** What was chosen: `{param, value}`, by kind of action where it means different things. */
    this.steps = steps;
  }

  get kinds() {
    return [...new Set(this.actions.map(({ type }) => type))];
  }

  /** The kind of action, once there is but one. */
  get kind() {
    const [first, ...more] = this.kinds;
    return more.length ? null : (first ?? null);
  }

  #of(kind) {
    return this.actions.filter(({ type }) => type === kind);
  }

  #taken(kind) {
    return this.progress.get(kind) ?? {};
  }

  /** The values that a parameter of a kind can still take; of a list, the items that can come next. */
  values(kind, name) {
    const key = `${kind} ${name}`;
    if (!this.#values.has(key)) this.#values.set(key, this.#found(kind, name));
    return this.#values.get(key);
  }

  #found(kind, name) {
    const actions = this.#of(kind);
    const taken = this.#taken(kind);
    if (!this.grammar.get(kind).lists.has(name))
      return name in taken ? [] : distinct(actions.filter((each) => name in each).map((each) => each[name]));
    const lists = actions.map((each) => each[name] ?? []);
    const ordered = isOrdered(lists);
    const rests = lists.map((list) => without(list, taken[name] ?? [], ordered) ?? []);
    return distinct(ordered ? rests.flatMap((rest) => rest.slice(0, 1)) : rests.flat());
  }

  /** The parameters that have still to be chosen, in order; those on which all actions agree need not be. */
  open(kind) {
    const actions = this.#of(kind);
    return this.grammar.get(kind).names.filter((name) => {
      const differ = distinct(actions.map((each) => each[name] ?? null)).length > 1;
      return differ && this.values(kind, name).length > 0;
    });
  }

  /** The action that stands chosen: the only one that fits, or the one whose lists hold what was chosen and no more. */
  get chosen() {
    if (this.actions.length === 1) return this.actions[0];
    const { kind } = this;
    if (kind === null) return null;
    const { names, lists } = this.grammar.get(kind);
    const taken = this.#taken(kind);
    const isWhole = (action) =>
      names.every((name) => {
        const value = action[name] ?? null;
        if (lists.has(name)) return (value ?? []).length === (taken[name] ?? []).length;
        return name in taken || this.actions.every((each) => same(each[name], value));
      });
    const whole = this.actions.filter(isWhole);
    return whole.length === 1 ? whole[0] : null;
  }

  /** What can be chosen next, as steps: the kinds, or the values of the next parameter. */
  get options() {
    const { kind } = this;
    if (kind === null) return this.kinds.map((value) => ({ param: "type", value }));
    return this.#next(kind).flatMap((param) => this.values(kind, param).map((value) => ({ param, value })));
  }

  /** The choice after a step `{param, value}`; null if nothing fits it. */
  take({ param, value }) {
    if (param === "type") return this.#narrowed(this.#of(value), this.progress, { param, value });
    const { kind } = this;
    const taken = kind === null ? null : this.#with(kind, param, value);
    return taken && this.#narrowed(taken.actions, new Map(this.progress).set(kind, taken.progress), { param, value });
  }

  #narrowed(actions, progress, step) {
    return actions.length ? new Choice(actions, this.grammar, progress, [...this.steps, step]) : null;
  }

  /** The actions of a kind in which a parameter has (or a list holds, beside what was chosen) a value. */
  #with(kind, name, value, actions = this.#of(kind), taken = this.#taken(kind)) {
    const { lists } = this.grammar.get(kind);
    if (!lists.has(name)) {
      const fitting = actions.filter((each) => name in each && same(each[name], value));
      return fitting.length ? { actions: fitting, progress: { ...taken, [name]: value } } : null;
    }
    const items = [...(taken[name] ?? []), value];
    const all = actions.map((each) => each[name] ?? []);
    const ordered = isOrdered(all);
    const fitting = actions.filter((each) => without(each[name] ?? [], items, ordered));
    return fitting.length ? { actions: fitting, progress: { ...taken, [name]: items } } : null;
  }

  /**
   * The choice after a click on a part of the board; null if it leads nowhere. `parts` are what that part and those
   * around it say of themselves, innermost first: `{names: {parameter: text}, actions: [kind] | null}`.
   */
  click(parts) {
    const progress = new Map(this.progress);
    const actions = [];
    for (const kind of this.kinds) {
      const reached = this.#reached(kind, parts);
      if (!reached) continue;
      actions.push(...reached.actions);
      progress.set(kind, reached.progress);
    }
    return this.#narrowed(actions, progress, { parts });
  }

  #reached(kind, [innermost, ...around]) {
    const taken = this.#taken(kind);
    let reached = this.#named(kind, innermost, { actions: this.#of(kind), progress: taken });
    for (const part of around) if (reached) reached = this.#within(kind, part, reached);
    const next = this.#next(kind);
    const isNext =
      reached &&
      (!next.length || reached.progress === taken || next.some((name) => reached.progress[name] !== taken[name]));
    return isNext ? reached : null;
  }

  /** The parameters of a kind that can be chosen now: the first one that is open, and if that is a list which may end, more. */
  #next(kind) {
    const next = [];
    for (const name of this.open(kind)) {
      next.push(name);
      const chosen = (this.#taken(kind)[name] ?? []).length;
      const mayEnd =
        this.grammar.get(kind).lists.has(name) && this.#of(kind).some((each) => (each[name] ?? []).length === chosen);
      if (!mayEnd) break;
    }
    return next;
  }

  /** What a click on this part itself leaves of a kind: its first open parameter that the part names takes its value. */
  #named(kind, { names, actions }, from) {
    if (actions && !actions.includes(kind)) return null;
    const mine = this.grammar.get(kind).names.filter((name) => name in names);
    if (!mine.length) return actions ? from : null;
    for (const name of mine) {
      if (name in from.progress && !this.grammar.get(kind).lists.has(name)) continue;
      const value = this.values(kind, name).find((each) => written(each) === names[name]);
      const taken = value === undefined ? null : this.#with(kind, name, value, from.actions, from.progress);
      if (taken) return taken;
    }
    return null;
  }

  /** A part around the one that was clicked: what it names must fit too. */
  #within(kind, { names, actions }, from) {
    if (actions && !actions.includes(kind)) return from;
    const { names: order, lists } = this.grammar.get(kind);
    let reached = from;
    for (const name of order.filter((each) => each in names && !lists.has(each))) {
      const fitting = reached.actions.filter((each) => written(each[name] ?? null) === names[name]);
      if (!fitting.length) return null;
      reached = { actions: fitting, progress: { ...reached.progress, [name]: fitting[0][name] } };
    }
    return reached;
  }
}
