// QR codes (ISO/IEC 18004): bytes, error correction level L, versions 1 to 15, which hold up to 520 bytes.

const MOST = 15;
const CHECKS = [0, 7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22]; // check bytes of a block, by version
const BLOCKS = [0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6];
const MASKS = [
  (x, y) => (x + y) % 2,
  (x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

// -- error correction: Reed–Solomon over GF(256) with x⁸ + x⁴ + x³ + x² + 1 --------------------------------------------

const EXP = [];
const LOG = [];
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = value;
  LOG[value] = power;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}
const times = (one, other) => (one && other ? EXP[(LOG[one] + LOG[other]) % 255] : 0);

function checkBytes(data, count) {
  let generator = [1];
  for (let root = 0; root < count; root++) {
    const next = [...generator, 0];
    generator.forEach((factor, at) => (next[at + 1] ^= times(factor, EXP[root])));
    generator = next;
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let at = 0; at < data.length; at++) {
    const lead = rest[at];
    generator.forEach((factor, step) => (rest[at + step] ^= times(factor, lead)));
  }
  return rest.slice(data.length);
}

// -- bytes --------------------------------------------------------------------------------------------------------------

/** So many bytes, checks included, does a version hold. */
function room(version) {
  const marks = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const alignment = marks ? (25 * marks - 10) * marks - 55 : 0;
  return Math.floor(((16 * version + 128) * version + 64 - alignment - (version < 7 ? 0 : 36)) / 8);
}
const dataRoom = (version) => room(version) - CHECKS[version] * BLOCKS[version];

/** Mode, length, the bytes, an end, and padding. */
function message(bytes, version) {
  const bits = [];
  const add = (value, length) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  add(4, 4);
  add(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  add(0, Math.min(4, dataRoom(version) * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < dataRoom(version) * 8; pad ^= 0xec ^ 0x11) add(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, at) => parseInt(bits.slice(at * 8, at * 8 + 8).join(""), 2));
}

/** The message in blocks, each with its checks, woven into each other. */
function woven(data, version) {
  const [count, checks] = [BLOCKS[version], CHECKS[version]];
  const short = Math.floor(data.length / count);
  const blocks = [];
  for (let at = 0, block = 0; block < count; block++) {
    const length = short + (block >= count - (data.length % count) ? 1 : 0);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const check = blocks.map((block) => checkBytes(block, checks));
  const across = (rows, length) => Array.from({ length }, (_, at) => rows.map((row) => row[at])).flat();
  return [...across(blocks, short + 1), ...across(check, checks)].filter((byte) => byte !== undefined);
}

// -- modules ------------------------------------------------------------------------------------------------------------

class Grid {
  constructor(version) {
    this.version = version;
    this.size = version * 4 + 17;
    this.dark = Array.from({ length: this.size }, () => Array(this.size).fill(null));
    this.#patterns();
    this.fixed = this.dark.map((row) => row.map((each) => each !== null));
  }

  #set(x, y, isDark) {
    if (x >= 0 && y >= 0 && x < this.size && y < this.size) this.dark[y][x] = Boolean(isDark);
  }

  /** A square of rings around a centre; `ring(distance)` says which are dark. */
  #square(x, y, reach, ring) {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) this.#set(x + dx, y + dy, ring(Math.max(Math.abs(dx), Math.abs(dy))));
  }

  #patterns() {
    const { size, version } = this;
    for (let at = 0; at < size; at++) for (const [x, y] of [[6, at], [at, 6]]) this.#set(x, y, at % 2 === 0);
    for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) this.#square(x, y, 4, (far) => far !== 2 && far !== 4);
    const marks = version < 2 ? 0 : Math.floor(version / 7) + 2;
    const step = marks && Math.ceil((version * 4 + 4) / (marks * 2 - 2)) * 2;
    const places = Array.from({ length: marks }, (_, at) => (at ? size - 7 - (marks - 1 - at) * step : 6));
    const last = places.at(-1);
    for (const x of places)
      for (const y of places)
        if (!((x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)))
          this.#square(x, y, 2, (far) => far !== 1);
    this.format(0);
    if (version >= 7) this.#versionBits();
  }

  #versionBits() {
    const bits = coded(this.version, 12, 0x1f25);
    for (let at = 0; at < 18; at++) {
      const [far, near] = [this.size - 11 + (at % 3), Math.floor(at / 3)];
      this.#set(far, near, (bits >> at) & 1);
      this.#set(near, far, (bits >> at) & 1);
    }
  }

  /** Level and mask, twice. */
  format(mask) {
    const { size } = this;
    const bits = coded(8 | mask, 10, 0x537) ^ 0x5412;
    const bit = (at) => (bits >> at) & 1;
    for (let at = 0; at < 15; at++) {
      const [x, y] = at < 6 ? [8, at] : at < 8 ? [8, at + 1] : at === 8 ? [7, 8] : [14 - at, 8];
      this.#set(x, y, bit(at));
      if (at < 8) this.#set(size - 1 - at, 8, bit(at));
      else this.#set(8, size - 15 + at, bit(at));
    }
    this.#set(8, size - 8, true);
  }

  /** Lay the bits in columns of two, up and down, from the right. */
  fill(bytes) {
    const { size } = this;
    let at = 0;
    for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
      if (right === 6) right--;
      for (let step = 0; step < size; step++)
        for (const x of [right, right - 1]) {
          const y = isUp ? size - 1 - step : step;
          if (!this.fixed[y][x]) this.dark[y][x] = Boolean(((bytes[at >> 3] ?? 0) >> (7 - (at++ & 7))) & 1);
        }
    }
  }

  masked(mask) {
    const isTurned = (x, y) => !this.fixed[y][x] && MASKS[mask](x, y) === 0;
    return this.dark.map((row, y) => row.map((isDark, x) => isDark !== isTurned(x, y)));
  }
}

/** A value and the remainder of its division, as its check. */
function coded(value, length, divisor) {
  let rest = value << length;
  for (let bit = 31; bit >= length; bit--) if ((rest >>> bit) & 1) rest ^= divisor << (bit - length);
  return (value << length) | rest;
}

/** How hard a grid is to read: long runs of one shade, and shades out of balance. */
function penalty(rows) {
  const columns = rows.map((_, x) => rows.map((row) => row[x]));
  const runs = [...rows, ...columns].flatMap((line) => line.map((each) => (each ? 1 : 0)).join("").match(/0{5,}|1{5,}/g) ?? []);
  const dark = rows.flat().filter(Boolean).length;
  return runs.reduce((sum, { length }) => sum + length - 2, 0) + Math.abs(dark / rows.length ** 2 - 0.5) * 200;
}

/** The modules of a text's code: rows of booleans, true where it is dark; null if the text is too long. */
export function modules(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const fits = (version) => bytes.length + (version < 10 ? 2 : 3) <= dataRoom(version);
  const version = Array.from({ length: MOST }, (_, at) => at + 1).find(fits);
  if (!version) return null;
  const grid = new Grid(version);
  grid.fill(woven(message(bytes, version), version));
  const drawn = MASKS.map((_, mask) => {
    grid.format(mask);
    return grid.masked(mask);
  });
  const worst = drawn.map(penalty);
  return drawn[worst.indexOf(Math.min(...worst))];
}

/** The outline of all dark modules, for a path of SVG in a box of `size + 8` units: four units stay light around it. */
export const outline = (rows) =>
  rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join("");
