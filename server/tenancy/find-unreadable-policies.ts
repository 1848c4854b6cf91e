import type { Db } from "../kernel/db.ts";
import { consentPolicyProblem } from "./settings.ts";

/** Organisations whose policies are read into memory together: each has up to some twenty kilobytes. */
const atOnce = 100;

/**
 * The organisations whose stored consent policy cannot be read, of all (worker's role). Those that have never set one are not
 * looked at. A page is in memory at a time, and other work has its turn in between.
 */
export async function findUnreadablePolicies(db: Db): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  for (;;) {
    const { rows }: { rows: { id: string; settings: unknown }[] } = await db.pool.query(
      `SELECT id, CASE WHEN jsonb_typeof(settings) = 'object'
         THEN jsonb_build_object('consentPolicies', settings -> 'consentPolicies') ELSE '0' END AS settings
       FROM tenants WHERE ($1::uuid IS NULL OR id > $1)
         AND (settings ? 'consentPolicies' OR jsonb_typeof(settings) NOT IN ('object', 'null'))
       ORDER BY id LIMIT $2`,
      [after, atOnce],
    );
    for (const { id, settings } of rows) if (consentPolicyProblem(settings) !== null) found.push(id);
    after = rows.at(-1)?.id ?? null;
    if (rows.length < atOnce) return found;
  }
}
