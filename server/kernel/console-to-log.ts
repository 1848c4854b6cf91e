/**
 * Imported before everything else in a process whose output is read by machines: what libraries print (Next's errors, Node's
 * warnings) and what ends the process becomes a line of JSON like any other.
 */
import { format, stripVTControlCharacters } from "node:util";
import { logger } from "./log.ts";

/** Characters of what is printed that a line holds. */
const longest = 8_192;

const levels = {
  log: "info",
  info: "info",
  debug: "debug",
  trace: "debug",
  warn: "warn",
  error: "error",
} as const;

for (const method of Object.keys(levels) as (keyof typeof levels)[]) {
  // eslint-disable-next-line no-console -- replaced, not used
  console[method] = (...printed: unknown[]) => {
    const err = printed.find((each) => each instanceof Error);
    const words = printed.filter((each) => each !== err);
    const text = stripVTControlCharacters(format(...words)).trim();
    if (err === undefined && text === "") return;
    const said = (text || err?.message || "").slice(0, longest);
    logger()[levels[method]]({ from: "console", ...(err === undefined ? {} : { err }) }, said);
  };
}

// Node's own listener prints them as text.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  logger().warn({ from: "node", err: warning }, warning.message);
});

process.on("uncaughtException", (error) => {
  logger().fatal({ err: error }, "an error that nobody caught ends the process");
  process.exit(1);
});
