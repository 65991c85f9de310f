// Notifications that it is one's turn: shown by this page while it is open in the background, and sent by the server
// (Web Push) when it is closed. Nobody is asked before they want it.

import * as seats from "./seat_storage.js";

const isPossible = () => "Notification" in globalThis && "serviceWorker" in navigator;

/** Does this reader want to be notified, and does the browser allow it? */
export const isOn = () => isPossible() && seats.wish("notify") === "yes" && Notification.permission === "granted";

/** Turn notifications on, if the browser allows it, or off; tells whether they are on. */
export async function turn(on) {
  const isAllowed = on && isPossible() && (await Notification.requestPermission()) === "granted";
  seats.setWish("notify", isAllowed ? "yes" : null);
  return isAllowed;
}

/** Show a notification that leads to a game, if the reader looks elsewhere. */
export async function notify(title, game) {
  if (!isOn() || !document.hidden) return;
  const worker = await navigator.serviceWorker.ready;
  await worker.showNotification(title, { tag: game, icon: "/web/icon.svg", data: { game } });
}

/** Let the server notify a seat by Web Push when nobody follows its game; nothing where server or browser cannot. */
export async function subscribe(api, game, seat, token) {
  if (!isOn()) return;
  try {
    const { key } = await api.cached("/v1/push-key");
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscription =
      (await pushManager.getSubscription()) ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
    const { endpoint, keys } = subscription.toJSON();
    if (seats.token(game, seat) !== token) return; // given up meanwhile
    await api.json("PUT", `/v1/games/${game}/seats/${seat}/notifications`, { body: { push: { endpoint, keys } }, token });
  } catch (problem) {
    if (!(problem instanceof DOMException) && !problem.status) throw problem; // no push service, or none here
  }
}

/** Let the server notify a seat no more. */
export const unsubscribe = (api, game, seat, token) =>
  api.request("DELETE", `/v1/games/${game}/seats/${seat}/notifications`, { token }).catch(() => {});
