import { notFound } from "../kernel/errors.ts";
import type { Scope } from "../operations/authorize.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/**
 * Where a budget belongs: to its application's team, else to the whole organisation. Who sees only one environment does not see a
 * budget of all of them. Throws `not_found` for an application that is gone.
 */
export function scopeOf(
  catalogue: Catalogue,
  { applicationId, environmentId }: { applicationId: string | null; environmentId: string | null },
): Required<Scope> {
  const unitId = applicationId === null ? null : unitOf(catalogue, applicationId);
  if (unitId === undefined) throw notFound();
  return { unitId, applicationId, environmentId };
}

/** The team of an application; undefined: it is gone. */
export function unitOf(catalogue: Catalogue, applicationId: string): string | undefined {
  return catalogue.applications.find(({ id }) => id === applicationId)?.unitId;
}
