import type { Scope } from "./authorize.ts";

/** Where a statement has what scopes are about. */
type ScopeColumns = { unit: string; application: string; environment: string };

/**
 * `visibleScopes` as an SQL condition. Pushes its parameters onto `values` and returns the text, e.g.
 * `(n.unit_id = $3 OR n.environment_id = $4)`; `true` when everything is visible.
 * @param columns or the alias of a table that has all three; "": no alias
 */
export function scopeSql(
  scopes: Required<Scope>[] | null,
  columns: ScopeColumns | string,
  values: unknown[],
): string {
  if (scopes === null) return "true";
  const { unit, application, environment } = typeof columns === "string" ? columnsOf(columns) : columns;
  const alternatives = scopes.map((scope) => {
    const parts: string[] = [];
    for (const [column, value] of [
      [unit, scope.unitId],
      [application, scope.applicationId],
      [environment, scope.environmentId],
    ] as const) {
      if (value) parts.push(`${column} = $${String(values.push(value))}`);
    }
    return `(${parts.join(" AND ")})`;
  });
  return alternatives.length === 0 ? "false" : `(${alternatives.join(" OR ")})`;
}

function columnsOf(alias: string): ScopeColumns {
  const of = alias === "" ? "" : `${alias}.`;
  return { unit: `${of}unit_id`, application: `${of}application_id`, environment: `${of}environment_id` };
}

/** The conditions of a statement and its parameters, for lists that can be narrowed in several ways. */
export class Conditions {
  /** All parameters of the statement, $1 first. */
  readonly values: unknown[];
  private readonly all: string[];

  constructor(values: readonly unknown[], ...conditions: string[]) {
    this.values = [...values];
    this.all = conditions;
  }

  /** Adds a parameter; returns its place, e.g. `$3`. */
  bind(value: unknown): string {
    return `$${String(this.values.push(value))}`;
  }

  and(condition: string): this {
    this.all.push(condition);
    return this;
  }

  /** Adds a condition in which `?` is the place of the value; without a value none. */
  given(condition: string, value: unknown): this {
    return value === undefined || value === null
      ? this
      : this.and(condition.replaceAll("?", this.bind(value)));
  }

  /** What is in the scopes. */
  within(scopes: Required<Scope>[] | null, columns: ScopeColumns | string): this {
    return this.and(scopeSql(scopes, columns, this.values));
  }

  get sql(): string {
    return this.all.join(" AND ");
  }
}
