import { parseArgs } from "node:util";

/** The kinds of work of a worker process. Each lane has its own slots, so that none can delay another. */
export const allLanes = ["otp", "transactional", "bulk", "sandbox", "webhook", "maintenance"] as const;

export type Lane = (typeof allLanes)[number];

/**
 * The lanes named on the command line (`--lanes otp,transactional`); all of them when none are named. Throws an error
 * with the possible names for a lane that does not exist.
 */
export function lanesOf(args: string[]): Lane[] {
  const { values } = parseArgs({ args, options: { lanes: { type: "string" } } });
  if (values.lanes === undefined) return [...allLanes];
  const named = values.lanes.split(",").map((name) => name.trim());
  const wrong = named.filter((name) => !allLanes.some((lane) => lane === name));
  if (wrong.length > 0) {
    throw new Error(`--lanes: there is no lane "${wrong.join('", "')}". There are ${allLanes.join(", ")}.`);
  }
  return allLanes.filter((lane) => named.includes(lane));
}
