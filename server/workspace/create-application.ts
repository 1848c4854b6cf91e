import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { createApplicationSchema } from "../tenancy/schemas.ts";
import { defaultGates } from "../tenancy/vocabulary.ts";
import type { CreateApplicationInput, EnvironmentKind } from "../tenancy/schemas.ts";
import { addEntry, insertEntry } from "./add-entry.ts";
import { lockEnvironments, lockUnit } from "./queries.ts";

/**
 * Adds an application with its pipeline. Needs organization:manage in the unit. Throws `not_found` for an unknown unit,
 * `invalid_request` for a stage that is not an environment of the tenant, is the sandbox, or occurs twice, and
 * `conflict` when the name is taken in the tenant, or there are as many as there may be.
 */
export async function createApplication(ctx: Ctx, input: CreateApplicationInput): Promise<{ id: string }> {
  const { stages, ...wanted } = createApplicationSchema.parse(input);
  const { units, environments } = await getCatalogue(ctx);
  if (!units.some((unit) => unit.id === wanted.unitId)) throw notFound();
  authorize(ctx, "organization:manage", { unitId: wanted.unitId });
  const errors = stages.flatMap((stage, index) => {
    const environment = environments.find((known) => known.id === stage);
    const pointer = `/stages/${index}`;
    if (!environment)
      return [{ pointer, code: "unknown_environment", detail: "No environment of this organisation" }];
    if (environment.kind === "sandbox") {
      return [{ pointer, code: "sandbox", detail: "The sandbox is not part of a pipeline" }];
    }
    return stages.indexOf(stage) < index ? [{ pointer, code: "repeated", detail: "Each stage once" }] : [];
  });
  if (errors.length > 0) throw new DomainError("invalid_request", "The pipeline is not valid.", { errors });

  const kinds = stages.map((id) => ({
    id,
    kind: environments.find((known) => known.id === id)?.kind ?? ("production" as const),
  }));
  const { tenantId } = ctx;
  return addEntry(
    ctx,
    { pointer: "/name", detail: "Another application has this name." },
    { what: "applications", count: (tx) => tx.application.count({ where: { tenantId } }) },
    (tx) => insertApplication(ctx, tx, wanted, kinds),
  );
}

/** Writes an application that was checked, with its pipeline, in the caller's transaction. Returns its id. */
export function insertApplication(
  ctx: Ctx,
  tx: Tx,
  wanted: Omit<CreateApplicationInput, "stages">,
  stages: readonly { id: string; kind: EnvironmentKind }[],
): Promise<string> {
  return insertEntry(ctx, tx, async (key) => {
    const environmentIds = stages.map(({ id }) => id);
    const held = await lockEnvironments(tx, ctx.tenantId, environmentIds);
    if (!(await lockUnit(tx, ctx.tenantId, wanted.unitId)) || held < stages.length) throw notFound();
    await tx.application.create({ data: { ...key, ...wanted } });
    await tx.pipelineStage.createMany({
      data: stages.map((stage, position) => ({
        tenantId: ctx.tenantId,
        applicationId: key.id,
        position,
        environmentId: stage.id,
        gates: defaultGates(stage.kind),
      })),
    });
    const { unitId } = wanted;
    return {
      action: "application.created",
      targetType: "application",
      unitId,
      data: { name: wanted.name },
      after: { ...wanted, stages: environmentIds },
    };
  });
}
