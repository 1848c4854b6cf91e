/** How connections are doing, as people and systems are told. Safe in the browser. */
import { z } from "zod";

/**
 * `closed`: works, messages go over it. `open`: found unavailable, messages go elsewhere or wait. `half_open`: answered a
 * probe and is tried with a few messages.
 */
export const breakerSchema = z.enum(["closed", "open", "half_open"]);
export type Breaker = z.output<typeof breakerSchema>;

/**
 * `opened`: found unavailable. `probed`: asked whether it is back, `code` "passed" or "failed". `closed`: works again.
 * `slow` and `recovered`: too many of its calls take long, and no longer.
 */
export const incidentKindSchema = z.enum(["opened", "probed", "closed", "slow", "recovered"]);
export type IncidentKind = z.output<typeof incidentKindSchema>;
