import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import {
  deleteIncident,
  findIncident,
  findIncidentOf,
  findStatusPage,
  insertIncident,
  insertUpdate,
  lockIncidents,
  setIncidentState,
} from "./queries.ts";
import { objectiveLimits } from "./schemas.ts";
import type { ObjectiveKind } from "./schemas.ts";
import type { IncidentState } from "./vocabulary.ts";

/** Tells of something on the status page. Throws `conflict` when there are too many. */
export async function createIncident(
  ctx: Ctx,
  input: { title: string; state: IncidentState; text: string },
): Promise<{ id: string }> {
  authorize(ctx, "settings:manage", {});
  const { tenantId } = ctx;
  const [id, at] = [newId(), ctx.now()];
  const { title, state, text } = input;
  await inTenant(ctx, async (tx) => {
    if ((await lockIncidents(tx, tenantId)) >= objectiveLimits.keptIncidents) {
      throw new DomainError(
        "conflict",
        `There are ${String(objectiveLimits.keptIncidents)} incidents, which is the most there can be: remove old ones first.`,
      );
    }
    await insertIncident(tx, { ...{ tenantId, id, title, state, at }, alertId: null });
    await insertUpdate(tx, { ...{ tenantId, state, text, at }, id: newId(), incidentId: id });
    await recordAudit(ctx, tx, { action: "incident.created", ...about(id), after: { title, state, text } });
  });
  return { id };
}

/** Tells more of an incident. Throws `not_found`, and `conflict` when there are too many updates. */
export async function updateIncident(
  ctx: Ctx,
  { id, state, text }: { id: string; state: IncidentState; text: string },
): Promise<void> {
  authorize(ctx, "settings:manage", {});
  const { tenantId } = ctx;
  const at = ctx.now();
  await inTenant(ctx, async (tx) => {
    await lockIncidents(tx, tenantId);
    const was = await findIncident(tx, tenantId, id);
    if (!was) throw notFound();
    if (was.updates >= objectiveLimits.updates) {
      throw new DomainError(
        "conflict",
        `This incident has ${String(objectiveLimits.updates)} updates, which is the most it can have: write another incident.`,
      );
    }
    await setIncidentState(tx, tenantId, id, { state, at });
    await insertUpdate(tx, { ...{ tenantId, state, text, at }, id: newId(), incidentId: id });
    await recordAudit(ctx, tx, {
      action: "incident.updated",
      ...about(id),
      before: { state: was.state },
      after: { state, text },
    });
  });
}

/** Takes an incident off the page. Throws `not_found`. */
export async function removeIncident(ctx: Ctx, { id }: { id: string }): Promise<void> {
  authorize(ctx, "settings:manage", {});
  await inTenant(ctx, async (tx) => {
    const was = await findIncident(tx, ctx.tenantId, id);
    if (!was) throw notFound();
    await deleteIncident(tx, ctx.tenantId, id);
    await recordAudit(ctx, tx, {
      action: "incident.removed",
      ...about(id),
      before: { title: was.title, state: was.state },
    });
  });
}

const titles: Record<ObjectiveKind, string> = {
  availability: "Some send requests are not accepted",
  codes: "One-time codes are late",
};

/** Opens the incident of an alert, where the organisation lets alerts do that. In the transaction of the alert. */
export async function openIncidentOf(
  tx: Tx,
  {
    tenantId,
    alertId,
    objective,
    at,
  }: { tenantId: string; alertId: string; objective: ObjectiveKind; at: Date },
): Promise<void> {
  const page = await findStatusPage(tx, tenantId);
  if (!page?.published || !page.automatic) return;
  if ((await lockIncidents(tx, tenantId)) >= objectiveLimits.keptIncidents) return;
  const [id, state] = [newId(), "investigating" as const];
  await insertIncident(tx, { tenantId, id, title: titles[objective], state, alertId, at });
  const text = "Our measurements show this. We are looking into it.";
  await insertUpdate(tx, { tenantId, id: newId(), incidentId: id, state, text, at });
}

/** Resolves it when the alert ends, unless somebody has done so. In the transaction of the alert's end. */
export async function resolveIncidentOf(
  tx: Tx,
  { tenantId, alertId, at }: { tenantId: string; alertId: string; at: Date },
): Promise<void> {
  const id = await findIncidentOf(tx, tenantId, alertId);
  if (id === null) return;
  const state = "resolved" as const;
  await setIncidentState(tx, tenantId, id, { state, at });
  const text = "Our measurements are back to normal.";
  await insertUpdate(tx, { tenantId, id: newId(), incidentId: id, state, text, at });
}

const about = (id: string) => ({ targetType: "status_incident", targetId: id });
