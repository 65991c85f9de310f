// Three short sounds, made here and nowhere recorded: it is your turn, a move was made, the game is over. Off unless wished.

import * as seats from "./seat_storage.js";

/** Notes of each sound: frequency in hertz, start and length in seconds. */
const SOUNDS = {
  turn: [
    [587, 0, 0.16],
    [880, 0.13, 0.3],
  ],
  move: [[330, 0, 0.09]],
  end: [
    [523, 0, 0.18],
    [659, 0.15, 0.18],
    [784, 0.3, 0.45],
  ],
};

let context = null;

export function play(name) {
  if (seats.wish("sound") !== "yes") return;
  context ??= new AudioContext();
  for (const [frequency, start, length] of SOUNDS[name]) {
    const at = context.currentTime + start;
    const tone = new OscillatorNode(context, { type: "triangle", frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.linearRampToValueAtTime(0.18, at + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}

/** A mark on the icon of the page while a player is asked for. */
export function badge(isOn) {
  (isOn ? navigator.setAppBadge?.() : navigator.clearAppBadge?.())?.catch(() => {});
}
