import type { Scope } from "./authorize.ts";

/**
 * `visibleScopes` as an SQL condition. Pushes its parameters onto `values` and returns the text, e.g.
 * `(n.unit_id = $3 OR n.environment_id = $4)`; `true` when everything is visible.
 */
export function scopeSql(
  scopes: Required<Scope>[] | null,
  columns: { unit: string; application: string; environment: string },
  values: unknown[],
): string {
  if (scopes === null) return "true";
  const alternatives = scopes.map((scope) => {
    const parts: string[] = [];
    for (const [column, value] of [
      [columns.unit, scope.unitId],
      [columns.application, scope.applicationId],
      [columns.environment, scope.environmentId],
    ] as const) {
      if (value) parts.push(`${column} = $${String(values.push(value))}`);
    }
    return `(${parts.join(" AND ")})`;
  });
  return alternatives.length === 0 ? "false" : `(${alternatives.join(" OR ")})`;
}
