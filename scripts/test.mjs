/** `npm test`: everything from formatting to the browser tests, from a fresh checkout. Runs on plain Node 20. */
import { ensureInstalled, runWithNode24 } from "./lib/bootstrap.mjs";

ensureInstalled();
runWithNode24(["scripts/checks.ts", ...process.argv.slice(2)]);
