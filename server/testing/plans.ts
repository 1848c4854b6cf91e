import type pg from "pg";

interface Plan {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Plan[];
}

/**
 * How many rows a statement looks at while it runs: those of tables and what is stored between, each as often as it is looked at, also
 * those that a join compares in vain. What several statements read of one table, rows-read.ts tells.
 */
export async function rowsLookedAt(
  pool: Pick<pg.Pool, "query">,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
    [...values],
  );
  return rows.reduce((sum, row) => sum + readBy(row["QUERY PLAN"][0].Plan), 0);
}

const readBy = (plan: Plan): number =>
  (plan["Node Type"].includes("Scan") && plan["Node Type"] !== "Subquery Scan" ? plan["Actual Rows"] : 0) *
    plan["Actual Loops"] +
  ((plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Join Filter"] ?? 0)) *
    plan["Actual Loops"] +
  (plan.Plans ?? []).reduce((sum, part) => sum + readBy(part), 0);
