// Downloads: pictures, films and records as files.

import { make } from "./elements.js";

const SCALE = 1.6; // pixels for a unit of a board, which is 1000 wide
const SHOWN = 500; // milliseconds that a film shows each entry
const KINDS = ["video/webm;codecs=vp9", "video/webm", "video/mp4"];

/** Hand a file to the reader. */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export const svgFile = (text) => new Blob([text], { type: "image/svg+xml" });

/** A board as an image that can be drawn. */
async function imageOf(text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  const address = URL.createObjectURL(svgFile(new XMLSerializer().serializeToString(svg)));
  const image = new Image(width, height);
  try {
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A canvas as large as a board, with room for words below it. */
function canvasFor(image, words = 0) {
  const canvas = make("canvas", { width: 2 * Math.round((image.width * SCALE) / 2), height: 2 * Math.round(((image.height + words) * SCALE) / 2) });
  const context = canvas.getContext("2d");
  context.scale(SCALE, SCALE);
  return { canvas, context };
}

/** A board as a PNG. */
export async function pngFile(text) {
  const image = await imageOf(text);
  const { canvas, context } = canvasFor(image);
  context.drawImage(image, 0, 0, image.width, image.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Can this browser make films? */
export const kindOfFilm = () =>
  globalThis.MediaRecorder && HTMLCanvasElement.prototype.captureStream ? KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) : undefined;

const WORDS = 64; // units below the board for what is told

function drawWords(context, width, top, text, { ground, ink }) {
  context.fillStyle = ground;
  context.fillRect(0, top, width, WORDS);
  context.fillStyle = ink;
  context.font = "20px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.fillText(text, 24, top + WORDS / 2, width - 48);
}

/**
 * A film of a game. `scenes` gives one after the other `{board, words}`, `progress(n)` is told how many are done. It is
 * recorded as fast as it will be watched.
 */
export async function filmFile(scenes, { colours, progress, signal }) {
  const type = kindOfFilm();
  let recorder = null;
  let stage = null;
  const parts = [];
  let done = 0;
  for await (const { board, words } of scenes) {
    if (signal.aborted) break;
    const image = await imageOf(board);
    stage ??= canvasFor(image, WORDS);
    const { canvas, context } = stage;
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const height = canvas.height / SCALE - WORDS;
    const scale = Math.min(1, height / image.height);
    context.drawImage(image, 0, 0, image.width * scale, image.height * scale);
    drawWords(context, canvas.width / SCALE, height, words, colours);
    if (!recorder) {
      recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: type, videoBitsPerSecond: 2_500_000 });
      recorder.ondataavailable = ({ data }) => parts.push(data);
      recorder.start(1000);
    }
    progress(++done);
    await new Promise((resolve) => setTimeout(resolve, SHOWN));
  }
  if (!recorder) return null;
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.stop();
  await ended;
  return signal.aborted ? null : new Blob(parts, { type });
}

/** What a file of this type is called at its end. */
export const ending = (type) => (type.includes("mp4") ? "mp4" : "webm");
