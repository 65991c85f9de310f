// Unpack the browser and its libraries beside this script; TMPDIR is where the package puts them.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

process.env.TMPDIR = dirname(fileURLToPath(import.meta.url));
process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs22.x"; // so that the libraries are unpacked as well
const { default: chromium } = await import("@sparticuz/chromium");
if (!existsSync(await chromium.executablePath())) throw new Error("no browser was unpacked");
