// Chooses each of many actions among those that were legal with it, step by step, as the page's list does.
// Reads `{module, schema, decisions: [[action]]}`; tells, for each that could not be chosen, what was chosen instead.
import { readFileSync } from "node:fs";

const { module, schema, decisions } = JSON.parse(readFileSync(0, "utf8"));
const { Choice, grammarOf, written } = await import(module);
const grammar = grammarOf(schema);

function choose(action, actions) {
  let choice = Choice.among(actions, grammar);
  const left = Object.fromEntries(Object.entries(action).map(([name, value]) => [name, grammar.get(action.type).lists.has(name) ? [...value] : [value]]));
  for (;;) {
    const isWanted = ({ param, value }) => left[param]?.some((each) => written(each) === written(value));
    const isFirst = ({ param, value }) => left[param]?.length && written(left[param][0]) === written(value);
    const step = choice.options.find(isFirst) ?? choice.options.find(isWanted); // in order, where the order counts
    if (choice.actions.length === 1 || !step) return choice.chosen;
    left[step.param].splice(left[step.param].findIndex((each) => written(each) === written(step.value)), 1);
    choice = choice.take(step);
  }
}

const missed = [];
for (const actions of decisions)
  for (const action of actions.filter((_, index) => index % Math.ceil(actions.length / 40) === 0)) {
    const chosen = choose(action, actions);
    if (written(chosen) !== written(action)) missed.push({ action, chosen, of: actions.length });
  }
console.log(JSON.stringify(missed));
