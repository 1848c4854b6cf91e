import { countAccess } from "../access/count-access.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { dependentKinds } from "../tenancy/schemas.ts";
import type { Dependent, DependentsInput, PartKind } from "../tenancy/schemas.ts";
import { countOfApplication, countOfEnvironment, countOfType, countOfUnit } from "./queries.ts";

/** What hangs on a part of the organisation, by kind; kinds of which there is none are left out. */
async function countDependents(
  tx: Tx,
  tenantId: string,
  part: { kind: PartKind; id: string; type?: string },
): Promise<Dependent[]> {
  const counts = await countsOf(tx, tenantId, part);
  return dependentKinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [{ kind, count }] : [];
  });
}

async function countsOf(
  tx: Tx,
  tenantId: string,
  { kind, id, type }: { kind: PartKind; id: string; type?: string },
): Promise<Partial<Record<Dependent["kind"], number>>> {
  switch (kind) {
    case "unit":
      return {
        ...(await countOfUnit(tx, tenantId, id)),
        ...(await countAccess(tx, tenantId, { unitId: id })),
      };
    case "application":
      return {
        ...(await countOfApplication(tx, tenantId, id)),
        ...(await countAccess(tx, tenantId, { applicationId: id })),
      };
    case "environment":
      return {
        ...(await countOfEnvironment(tx, tenantId, id)),
        ...(await countAccess(tx, tenantId, { environmentId: id })),
      };
    case "notificationType":
      return countOfType(tx, tenantId, type ?? "");
  }
}

/** Throws `conflict`, with what it is, when something hangs on a part that is to be deleted. */
export async function refuseWhenUsed(
  tx: Tx,
  tenantId: string,
  part: { kind: PartKind; id: string; type?: string; name: string },
): Promise<void> {
  const dependents = await countDependents(tx, tenantId, part);
  if (dependents.length === 0) return;
  throw new DomainError("conflict", `${part.name} is still used. Change what uses it first.`, {
    extra: { dependents },
  });
}

/**
 * What hangs on a team, application, environment or notification type, before somebody deletes or archives it. Needs
 * organization:manage where it is.
 */
export async function getDependents(ctx: Ctx, input: DependentsInput): Promise<{ data: Dependent[] }> {
  const catalogue = await getCatalogue(ctx);
  const { kind, id } = input;
  const application = kind === "application" ? catalogue.applications.find((one) => one.id === id) : null;
  const type = kind === "notificationType" ? catalogue.notificationTypes.find((one) => one.id === id) : null;
  authorize(ctx, "organization:manage", application ? { unitId: application.unitId } : {});
  const found =
    application ??
    type ??
    (kind === "unit" ? catalogue.units : kind === "environment" ? catalogue.environments : []).find(
      (one) => one.id === id,
    );
  if (!found) throw notFound();
  const data = await inTenant(ctx, (tx) =>
    countDependents(tx, ctx.tenantId, { kind, id, ...(type ? { type: type.type } : {}) }),
  );
  return { data };
}
