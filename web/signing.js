// Signing keys of seats: made by this browser, kept beside the token, and used for everything that the seat does.

import { hex } from "./api.js";

/** JSON as RFC 8785 writes it; actions hold integers and texts alone. */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
};

const bytesOf = (text) => new TextEncoder().encode(text);

/** A new key: `{publicKey, signingKey}`, 64 hex digits and text to be kept; null where a browser cannot make one. */
export async function newSigningKey() {
  try {
    const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
    const { d } = await crypto.subtle.exportKey("jwk", privateKey);
    const { x } = await crypto.subtle.exportKey("jwk", publicKey);
    return { publicKey: hex(await crypto.subtle.exportKey("raw", publicKey)), signingKey: `${d}.${x}` };
  } catch {
    return null;
  }
}

async function sign(signingKey, message) {
  const [d, x] = signingKey.split(".");
  const jwk = { kty: "OKP", crv: "Ed25519", d, x };
  const key = await crypto.subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["sign"]);
  return hex(await crypto.subtle.sign({ name: "Ed25519" }, key, bytesOf(message)));
}

/** The signature of an action that answers the decision with this hash; null without a key. */
export async function signAction(signingKey, { game, seat, decisionHash, action }) {
  if (!signingKey || !decisionHash) return null;
  const digest = hex(await crypto.subtle.digest("SHA-256", bytesOf(canonical(action))));
  return sign(signingKey, `stele-act-1\n${game}\n${seat}\n${decisionHash}\n0\n${digest}\n`);
}

/** The signature of a resignation after the entry with this hash; null without a key. */
export const signResignation = async (signingKey, { game, seat, hash }) =>
  signingKey ? sign(signingKey, `stele-resign-1\n${game}\n${seat}\n${hash}\n`) : null;

/** The signature of a take-back to a version, after the entry with this hash; null without a key. */
export const signTakeback = async (signingKey, { game, seat, hash, to }) =>
  signingKey ? sign(signingKey, `stele-takeback-1\n${game}\n${seat}\n${hash}\n${to}\n`) : null;
