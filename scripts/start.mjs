/** `npm start`: from a fresh checkout to a running Tidings. Runs on plain Node 20. */
import { ensureInstalled, runWithNode24 } from "./lib/bootstrap.mjs";

ensureInstalled();
runWithNode24(["scripts/supervisor.ts", ...process.argv.slice(2)]);
