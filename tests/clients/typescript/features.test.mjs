// What the client does by itself, each against a real server through a `fetch` that misbehaves once.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Problem, Stele, Unreachable, createSeatKey } from "@stele/client";

const url = process.env.STELE_URL;
const players = [{ name: "Ada" }, { name: "Ben" }];

/** A `fetch` that keeps count, and does something else when it is told to. */
function spying(instead = () => undefined) {
  const calls = [];
  const spy = async (address, init) => {
    const call = { address: new URL(address), init };
    calls.push(call);
    const answer = (await instead(call, calls.length)) ?? (await fetch(address, init));
    call.status = answer.status;
    return answer;
  };
  return { calls, fetch: spy };
}

async function babel(fetch, settings = {}) {
  const created = await new Stele(url, { ...settings, ...(fetch && { fetch }) }).create({ ruleset: "babel", players });
  return { ...created, me: created.seats[0].table };
}

test("a refusal is a problem with a code, and changes nothing", async () => {
  const { me, game } = await babel();
  await assert.rejects(me.act({ type: "build", source: "own" }), (problem) => {
    assert.ok(problem instanceof Problem);
    assert.deepEqual([problem.status, problem.code], [409, "pawn_in_quarry"]);
    assert.equal(problem.body.title, "Conflict");
    return true;
  });
  assert.equal((await me.look()).version, game.version);
});

test("problems come in the caller's language", async () => {
  const stele = new Stele(url, { language: "fr" });
  await assert.rejects(stele.table("00-0123456789abcdefghjkmnpqrs").look(), /n'existe pas/);
});

test("an action whose answer was lost is sent again with its key, and stands once", async () => {
  const lost = spying(async ({ address, init }) => {
    if (!address.pathname.endsWith("/actions") || init.method !== "POST" || lost.done) return undefined;
    lost.done = true;
    await fetch(address, init);
    throw new TypeError("the line is dead");
  });
  const { me, game } = await babel(lost.fetch);
  const { actions } = await me.legal();
  const acted = await me.act(actions[0]);
  const sent = lost.calls.filter(({ init }) => init.method === "POST" && init.headers["Idempotency-Key"]).slice(1);
  assert.equal(sent.length, 2);
  assert.equal(sent[0].init.headers["Idempotency-Key"], sent[1].init.headers["Idempotency-Key"]);
  assert.equal(acted.version, game.version + 1);
  assert.equal((await me.look()).version, game.version + 1);
});

test("who says 503 or 429 is asked again, as late as he says", async () => {
  const codes = [503, 429];
  const busy = spying(() =>
    codes.length ? new Response("{}", { status: codes.shift(), headers: { "Retry-After": "1" } }) : undefined,
  );
  const began = Date.now();
  assert.ok((await new Stele(url, { fetch: busy.fetch }).rulesets()).length >= 4);
  assert.equal(busy.calls.length, 3);
  assert.ok(Date.now() - began >= 1900);
});

test("patience ends", async () => {
  const nobody = new Stele("http://127.0.0.1:9", { patience: 300 });
  await assert.rejects(nobody.rulesets(), Unreachable);
});

test("what has not changed is not sent again", async () => {
  const spy = spying();
  const { me } = await babel(spy.fetch);
  const first = await me.look({ actions: true });
  assert.equal(await me.look({ actions: true }), first);
  assert.equal(spy.calls.at(-1).status, 304);
  await me.act(first.actions[0]);
  assert.equal((await me.look({ actions: true })).version, first.version + 1);
});

test("waiting ends when something happens", async () => {
  const { me, table, game } = await babel();
  const waiting = table.wait(game.version, 20);
  const { actions, decision } = await me.legal();
  await me.act(actions[0], { decision });
  assert.equal((await waiting).version, game.version + 1);
  await assert.rejects(me.act(actions[0], { version: game.version }), { code: "version_conflict" });
});

test("a list of actions stops at the first refusal, and what stands is told", async () => {
  const { me } = await babel();
  const { actions } = await me.legal();
  const acted = await me.act([actions[0], { type: "halve_hand", run: 0 }], { actions: true });
  assert.equal(acted.events.length, 1);
  assert.equal(acted.stopped.index, 1);
  assert.ok(acted.actions.length);
  assert.deepEqual(await me.check({ type: "end_turn" }).then(({ legal }) => typeof legal), "boolean");
});

/** A body that ends after so many messages. */
function cut(body, messages) {
  let left = messages;
  const text = new TransformStream({
    transform(chunk, controller) {
      for (const part of chunk.split(/(?<=\n\n)/)) {
        if (left <= 0) break;
        controller.enqueue(part);
        if (part.includes("data:")) left -= 1;
      }
      if (left <= 0) controller.terminate();
    },
  });
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(text).pipeThrough(new TextEncoderStream());
}

async function played(fetch, watch) {
  const { table, me, game } = await babel();
  const watcher = new Stele(url, { fetch }).table(game.id, watch === "seat" ? me.transport.settings.token : undefined);
  return { watcher, me, table, game };
}

test("a stream that is cut goes on after the last event seen", async () => {
  const flaky = spying(async ({ address, init }) => {
    if (!address.pathname.endsWith("/events")) return undefined;
    const answer = await fetch(address, init);
    return answer.body ? new Response(cut(answer.body, 2), { status: 200 }) : answer;
  });
  const { watcher, me, table } = await played(flaky.fetch);
  await me.act((await me.legal()).actions[0]);
  await me.resign();
  const seen = [];
  for await (const event of watcher.events()) seen.push(event.seq);
  const log = [];
  for await (const event of table.log()) log.push(event.seq);
  assert.deepEqual(seen, log);
  assert.ok(flaky.calls.length > 2);
  assert.equal(flaky.calls[1].init.headers["Last-Event-ID"], "2");
});

test("a stream by tickets gets a new one when the old one does not hold any more", async () => {
  const opened = [];
  const forgetful = spying(async ({ address, init }) => {
    if (!address.pathname.endsWith("/events")) return undefined;
    opened.push(address.searchParams.get("ticket"));
    assert.equal(init.headers.Authorization, undefined);
    if (opened.length === 2) address.searchParams.set("ticket", "run-out");
    const answer = await fetch(address, init);
    return opened.length === 1 && answer.body ? new Response(cut(answer.body, 1), { status: 200 }) : answer;
  });
  const { watcher, me } = await played(forgetful.fetch, "seat");
  await me.resign();
  const seen = [];
  for await (const event of watcher.events({ tickets: true })) seen.push(event.seq);
  assert.deepEqual(seen, seen.map((_, index) => index + 1));
  assert.equal(opened[0], opened[1]);
  assert.equal(forgetful.calls.filter(({ address }) => address.pathname.endsWith("/tickets")).length, 2);
});

test("a stream of a log that was rewound begins anew", async () => {
  const rewinding = spying(({ address }, number) =>
    address.pathname.endsWith("/events") && number === 1
      ? new Response('id: 2\ndata: {"seq": 2, "type": "seat_taken"}\n\nevent: rewound\nid: 0\ndata: {}\n\n')
      : undefined,
  );
  const { watcher, me } = await played(rewinding.fetch);
  await me.resign();
  let seen = [];
  const rewound = () => (seen = []);
  for await (const event of watcher.events({ after: "1", rewound })) seen.push(event.seq);
  assert.deepEqual(seen, seen.map((_, index) => index + 1));
  assert.equal(rewinding.calls[1].init.headers["Last-Event-ID"], undefined);
});

test("a stream can be ended from outside", async () => {
  const { table } = await babel();
  const end = new AbortController();
  const seen = [];
  for await (const frame of table.frames({ signal: end.signal })) {
    seen.push(frame.version);
    end.abort();
  }
  assert.equal(seen.length, 1);
});

/** Both seats of a new game of Aton, who lay their cards at the same time. */
async function aton() {
  const { game, seats } = await new Stele(url).create({ ruleset: "aton", players });
  assert.deepEqual(game.to_act, [0, 1]);
  return seats.map(({ table }) => table);
}

const allocation = ({ actions }) => actions.find(({ type }) => type === "allocate");

test("a decision that is let pass comes again", async () => {
  const [ada, ben] = await aton();
  const seen = [];
  for await (const turn of ada.turns()) {
    seen.push(turn.decision);
    if (seen.length === 2) break;
    await ben.act(allocation(await ben.legal()));
  }
  assert.equal(seen[0], seen[1]);
});

test("a decision that was made does not come again, though a frame before it says so", async () => {
  const [ada, ben] = await aton();
  const seen = [];
  for await (const turn of ada.turns()) {
    seen.push(turn.decision);
    if (seen.length > 1) continue;
    await ben.act(allocation(await ben.legal()));
    await turn.act(allocation(turn));
    await ben.resign();
  }
  assert.equal(seen.filter((decision) => decision === seen[0]).length, 1);
});

test("sitting down, leaving, calling off", async () => {
  const { table, seats } = await new Stele(url).create({ ruleset: "temple_of_five", seats: 3, players: [{ name: "Ada" }] });
  const { seat, table: ben } = await table.sit({ name: "Ben" });
  assert.equal(seat, 1);
  assert.equal((await ben.look()).you, 1);
  await ben.leave(seat);
  const bot = await seats[0].table.sit({ bot: "random" });
  assert.equal(bot.token, null);
  assert.equal((await seats[0].table.abort()).status, "aborted");
});

test("lists go on from page to page", async () => {
  const stele = new Stele(url);
  const wanted = new Set();
  for (let number = 0; number < 5; number += 1) wanted.add((await babel()).game.id);
  for (let tries = 0; wanted.size && tries < 100; tries += 1) {
    for await (const row of stele.games({ ruleset: "babel", limit: 2 })) wanted.delete(row.id);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.equal(wanted.size, 0);
  assert.ok((await stele.ruleset("babel")).sentences);
});

test("a picture needs nothing but its address", async () => {
  const { me } = await babel();
  const answer = await fetch(await me.boardAddress({ theme: "dark" }));
  assert.equal(answer.headers.get("Content-Type"), "image/svg+xml; charset=utf-8");
  assert.match(await answer.text(), /^<svg/);
});

test("a settled game is reviewed, and the review can be dropped", async () => {
  const { me } = await babel();
  const { actions } = await me.legal();
  await me.act(actions[0]);
  await me.resign();
  for await (const _ of me.events());
  await assert.rejects(me.review(), ({ code }) => code === "no_review");
  let review = await me.beginReview();
  while (review.status !== "done") {
    assert.ok(["waiting", "running"].includes(review.status));
    await new Promise((resolve) => setTimeout(resolve, 100));
    review = await me.review();
  }
  assert.equal(review.decisions.length, 1);
  assert.deepEqual(review.curve.at(-1).chances, [0, 1000]);
  await me.dropReview();
  await assert.rejects(me.review(), ({ code }) => code === "no_review");
});

test("a player against bots gets a hint", async () => {
  const { seats } = await new Stele(url).create({
    ruleset: "babel",
    players: [{ name: "Ann" }, { bot: "random" }],
    options: { begins: 0 },
  });
  const me = seats[0].table;
  await assert.rejects(me.hint(), ({ code }) => code === "no_hint");
  await me.askForHint();
  let hint;
  while (!(hint = await me.hint({ lang: "fr" }))) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(hint.label);
  await me.act(hint.action);
});

test("a seat is told by Web Push, or nothing more", async () => {
  const { me } = await babel();
  assert.match(await new Stele(url).pushKey(), /^B[\w-]{86}$/);
  const keys = {
    p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
    auth: "tBHItJI5svbpez7KI4CCXg",
  };
  const push = { endpoint: "https://push.invalid/1", keys };
  assert.deepEqual(await me.notify(0, { push, after_seconds: 600 }), { after_seconds: 600 });
  await me.stopNotifying(0);
  await assert.rejects(me.notify(1, { push }), ({ code }) => code === "forbidden");
});

test("people who are named by a host are rated against one another", async () => {
  const host = new Stele(url, { token: process.env.STELE_HOST });
  const refs = ["rated-ada", "rated-ben"];
  const { seats } = await host.create({
    ruleset: "babel",
    players: refs.map((ref) => ({ name: ref, ref })),
  });
  await seats[0].table.resign();
  const rated = [];
  while (rated.length < 2) {
    rated.length = 0;
    for await (const row of host.ratings({ ruleset: "babel", host: "club" })) if (refs.includes(row.ref)) rated.push(row);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.deepEqual(rated.map(({ ref }) => ref), ["rated-ben", "rated-ada"]);
  assert.ok(rated[0].ordinal > rated[1].ordinal);
});

test("a host hears what happens in its games, and goes on where it was cut", async () => {
  const flaky = spying(async ({ address, init }) => {
    if (address.pathname !== "/v1/feed") return undefined;
    const answer = await fetch(address, init);
    return answer.body && flaky.calls.length < 4 ? new Response(cut(answer.body, 1), { status: 200 }) : answer;
  });
  const tag = `cup-${Date.now()}`;
  const host = new Stele(url, { token: process.env.STELE_HOST, fetch: flaky.fetch });
  const end = new AbortController();
  const heard = [];
  const listening = (async () => {
    for await (const { type, after } of host.feed({ tag, signal: end.signal })) {
      assert.ok(after);
      heard.push(type);
      if (type === "game_settled") end.abort();
    }
  })();
  while (!flaky.calls.some(({ status }) => status === 200)) await new Promise((resolve) => setTimeout(resolve, 20));
  const { seats } = await host.create({ ruleset: "babel", players, tags: [tag] });
  await seats[0].table.resign();
  await listening;
  assert.deepEqual(heard.filter((type) => type !== "turn"), [
    "game_created", "seat_taken", "seat_taken", "game_started", "game_ended", "game_settled",
  ]);
  assert.ok(flaky.calls.filter(({ address }) => address.pathname === "/v1/feed").length > 1);
});

test("at the table: taking back, pausing, adding time, handing over", async () => {
  const host = new Stele(url, { token: process.env.STELE_HOST });
  const clock = { turn_seconds: 600, reserve_seconds: 60 };
  const { table, seats } = await host.create({ ruleset: "babel", players, clock, takebacks: true });
  const [ann, ben] = seats.map((seat) => seat.table);
  for (let acted; acted?.takeback === undefined || acted.takeback === null; ) {
    const me = (await table.look()).to_act[0] === 0 ? ann : ben;
    acted = await me.act((await me.legal()).actions[0]);
    if (acted.takeback !== null) assert.equal((await me.takeBack(acted.takeback)).event.type, "taken_back");
  }
  assert.deepEqual((await ann.pause()).pause_agreed, [0]);
  assert.equal((await ben.pause()).paused.by, "players");
  assert.equal((await ben.resume()).paused, null);
  const { left } = await table.addTime(1, 30);
  assert.equal((await table.addTime(1, 30)).left["1"], left["1"] + 30_000);
  const { token } = await table.handOver(0, { name: "Dora", ref: "d-1" });
  assert.equal((await table.as(token).look()).seats[0].name, "Dora");
  const { code } = await ben.handOver(1);
  const emil = await table.as(undefined).takeOver(1, { code, name: "Emil" });
  assert.equal((await emil.look()).you, 1);
  await assert.rejects(ben.look(), { code: "unauthorized" });
});

test("players meet again in the next game of the same table", async () => {
  const { seats, table } = await babel();
  await seats[0].table.resign();
  const waiting = table.rematchStatus(20);
  const first = await seats[0].table.rematch({ entropy: "mine" });
  assert.deepEqual((await waiting).asked, [0]);
  const second = await seats[1].table.rematch();
  assert.deepEqual([second.game.id, second.game.status, second.seat], [first.game.id, "playing", 0]);
  assert.equal((await first.table.look()).you, 1);
});

test("a host creates many games at once, once", async () => {
  const host = new Stele(url, { token: process.env.STELE_HOST });
  const games = [1, 2].map((n) => ({ key: `many-ts-${n}`, ruleset: "babel", players }));
  const made = await host.createMany(games);
  assert.equal((await made[1].seats[0].table.look()).you, 0);
  assert.deepEqual((await host.createMany(games)).map(({ table }) => table.id), made.map(({ table }) => table.id));
  await assert.rejects(host.createMany([{ key: "another", ruleset: "chess" }]), { code: "invalid_request" });
});

test("a seat with a key signs all that it does", async () => {
  const host = new Stele(url, { token: process.env.STELE_HOST });
  const { table, seats } = await host.create({ ruleset: "babel", players, takebacks: true }, { signed: true });
  let me, acted;
  do {
    me = seats[(await table.look()).to_act[0]];
    acted = await me.table.act([(await me.table.legal()).actions[0]]);
    assert.ok(acted.events[0].data.signed);
  } while (acted.takeback === null);
  const back = await me.table.takeBack();
  assert.deepEqual([back.event.data.to, typeof back.event.data.signed.sig], [acted.version - 1, "string"]);
  const { actions } = await me.table.legal();
  await assert.rejects(table.as(me.token).act(actions[0]), { code: "bad_signature" });
  const again = host.table(table.id, me.token, me.key);
  assert.equal((await again.act(actions[0])).version, back.version + 1);
  for await (const turn of seats[(await table.look()).to_act[0]].table.turns()) {
    assert.ok((await turn.act(turn.actions[0])).event.data.signed);
    break;
  }
  await seats[0].table.resign();
  while (!(await table.look()).settled) await new Promise((resolve) => setTimeout(resolve, 50));
  const { checks } = await table.audit();
  assert.equal(checks.find(({ check }) => check === "signatures").verdict, "pass");
});

test("whoever sits down, takes over or plays again can bring a key", async () => {
  const stele = new Stele(url);
  const { table } = await stele.create({ ruleset: "babel", seats: 2 });
  const [one, two, three, four] = await Promise.all([1, 2, 3, 4].map(createSeatKey));
  const { table: ann } = await table.sit({ name: "Ann" }, one);
  const { table: ben } = await table.sit({ name: "Ben" }, two);
  const { code } = await ben.handOver(1);
  const dora = await table.as(undefined).takeOver(1, { code, name: "Dora" }, three);
  await dora.resign();
  const next = await ann.rematch({}, four);
  assert.equal((await dora.rematch()).seat, 0);
  assert.equal((await next.table.resign()).event.data.signed.entry > 0, true);
});

test("a settled game is exported, checked anywhere, pictured and forked", async () => {
  const stele = new Stele(url);
  const { me, table } = await babel();
  await me.resign();
  for await (const _ of me.events());
  const record = await table.record();
  assert.equal((await stele.auditRecord(record)).verdict, "pass");
  assert.equal((await stele.signingKeys())[0].algorithm, "Ed25519");
  assert.equal((await table.moment(4)).version, 4);
  const exported = async () => {
    for await (const each of stele.export({ ruleset: "babel" })) if (each.game === table.id) return each;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return exported();
  };
  assert.deepEqual((await exported()).entries, record.entries);
  await assert.rejects(stele.export({ cursor: "nothing" }).next(), ({ code }) => code === "invalid_request");
  assert.match((await stele.oembed(`${url}/g/${table.id}`)).html, /iframe/);
  for (const version of [undefined, 4]) {
    const picture = await fetch(await me.pictureAddress({ version, width: 300 }));
    assert.equal(picture.headers.get("Content-Type"), "image/png");
    await picture.arrayBuffer();
  }
  assert.deepEqual(Object.keys(await table.proof()).sort(), ["created", "settled"]);
  const fork = await table.fork({ version: 4 });
  let forks = [];
  while (forks.length === 0) forks = await table.forks();
  assert.deepEqual(forks.map(({ id }) => id), [fork.id]);
});

test("a list of records that ends with a problem throws it", async () => {
  const lines = '{"game":"one"}\n{"code":"store_unavailable","detail":"Later.","status":503}\n';
  const records = new Stele(url, { fetch: async () => new Response(lines) }).export();
  assert.equal((await records.next()).value.game, "one");
  await assert.rejects(records.next(), ({ code, status }) => code === "store_unavailable" && status === 503);
});

test("a host renews a token, judges, and has webhooks", async () => {
  const host = new Stele(url, { token: process.env.STELE_HOST });
  const { table, seats } = await host.create({ ruleset: "babel", players });
  const renewed = await table.renewToken(0);
  assert.equal((await renewed.look()).you, 0);
  await assert.rejects(seats[0].table.look(), ({ code }) => code === "unauthorized");
  assert.deepEqual((await table.adjudicate({ winners: [0], why: "Ben went home." })).outcome.winners, [0]);
  const hook = await host.addWebhook({ url: "http://127.0.0.1:9/", types: ["game_ended"], tag: "nowhere" });
  assert.ok(hook.secret);
  assert.ok(await host.testWebhook(hook.id));
  assert.ok((await host.webhooks()).some(({ id }) => id === hook.id));
  await host.removeWebhook(hook.id);
  await host.removeWebhook(hook.id);
  assert.ok(!(await host.webhooks()).some(({ id }) => id === hook.id));
});

test("a game is presented by its guide, its lessons and a board", async () => {
  const stele = new Stele(url);
  assert.ok(await stele.isReady());
  assert.equal(await new Stele("http://127.0.0.1:9").isReady(), false);
  assert.equal((await stele.guide("aton", { lang: "fr" })).language, "fr");
  assert.ok((await stele.lessons("aton")).every(({ id }) => id));
  assert.match(await (await fetch(stele.exampleBoardAddress("aton", { theme: "dark" }))).text(), /^<svg/);
});
