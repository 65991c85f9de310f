// Unpack the browser and its libraries into the folder that is named; TMPDIR is where the package puts them.
import { existsSync, mkdirSync } from "node:fs";

const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
process.env.TMPDIR = folder;
process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs22.x"; // so that the libraries are unpacked as well
const { default: chromium } = await import("@sparticuz/chromium");
if (!existsSync(await chromium.executablePath())) throw new Error("no browser was unpacked");
