import { addressToken } from "../audit/address-token.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { authorize, may } from "../operations/authorize.ts";
import { exampleValues } from "../template-language/variables.ts";
import { getTemplate } from "../templates/get-template.ts";
import { senderNamed } from "../templates/sender-named.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { requireEnvironmentOf } from "../tenancy/unknown-names.ts";
import { acceptSend } from "./accept-send.ts";
import { countRecentTests } from "./notification-queries.ts";
import type { TestSend } from "./schemas.ts";

/** Tests of a tenant per hour: plenty for people, too few for a campaign that tries to get around consent. */
const testsPerHour = 120;

/**
 * Sends a stored version to oneself, live or not, through the real route of an environment: with `notifications:send`
 * there, or, outside production, with `templates:write`, so that authors can see what they wrote arrive. Recorded
 * consent is not needed, as people who send to themselves give it; opt-outs of the address and suppressions still
 * apply. A message that the provider takes counts as the version's successful test, except in the sandbox. Throws
 * `not_found`, `invalid_request`, `rate_limited` and what acceptSend throws.
 */
export async function sendTest(
  ctx: Ctx,
  input: TestSend & { templateId: string },
): Promise<{
  notificationId: string;
  status: "queued" | "scheduled" | "rejected" | "pending_approval";
  reason: { code: string; detail: string } | null;
  version: number;
  environment: string;
}> {
  const template = await getTemplate(ctx, { id: input.templateId, version: input.version });
  const catalogue = await getCatalogue(ctx);
  const application = catalogue.applications.find((entry) => entry.id === template.applicationId);
  if (!application) throw notFound();
  const environment = requireEnvironmentOf(
    catalogue,
    application,
    input.environment ?? application.stages[0] ?? "",
  );
  const place = {
    unitId: application.unitId,
    applicationId: template.applicationId,
    environmentId: environment.id,
  };
  if (environment.kind === "production" || !may(ctx, "templates:write", place)) {
    authorize(ctx, "notifications:send", place);
  }
  const noted = await noteTest(ctx, template, place, await addressToken(ctx, input.to));
  const accepted = await acceptSend(
    // Only this permission, only in this environment.
    { ...ctx, grants: [{ ...place, permissions: new Set(["notifications:send"]) }] },
    {
      order: {
        environmentId: environment.id,
        application: template.application,
        notification: {
          pinned: {
            ...template,
            disabled: false,
            variables: template.variables,
            sender: senderNamed(template) ?? null,
          },
        },
        region: input.region ?? template.region ?? undefined,
        language: input.language ?? template.language ?? undefined,
        recipients: [{ channel: template.channel, recipient: input.to }],
        templateVariables: [{ ...exampleValues(template.variables), ...input.variables }],
        metadata: { test: "true" },
      },
      source: "test",
      transactionId: null,
      idempotency: null,
      firstMessageId: noted.notificationId,
    },
  ).catch(async (error: unknown) => {
    // Only a refusal by the service proves that nothing was accepted; after any other error the test stays recorded.
    if (error instanceof DomainError) await forgetTest(ctx, template, place, noted, error.code);
    throw error;
  });
  const [sent] = accepted.notifications;
  if (!sent) throw new Error("a test has one message");
  return {
    notificationId: sent.notificationId,
    status: sent.status,
    reason: sent.reason,
    version: template.version,
    environment: environment.slug,
  };
}

type Tested = Awaited<ReturnType<typeof getTemplate>>;
interface Place {
  unitId: string;
  environmentId: string;
}

/**
 * Records a test before its message is accepted, so that a crash cannot turn it into an ordinary message. Tests are
 * counted and recorded in one transaction, so that concurrent ones cannot exceed the limit. Throws `rate_limited`.
 */
async function noteTest(
  ctx: Ctx,
  template: Tested,
  place: Place,
  address: string | null,
): Promise<{ id: string; notificationId: string }> {
  const noted = { id: newId(), notificationId: newId() };
  await inTenant(ctx, async (tx) => {
    const since = new Date(ctx.now().getTime() - 3_600_000);
    if ((await countRecentTests(tx, ctx.tenantId, since)) >= testsPerHour) {
      throw new DomainError("rate_limited", "Too many tests were sent in the last hour. Try again later.", {
        retryAfter: 600,
      });
    }
    await tx.templateTest.create({
      data: {
        tenantId: ctx.tenantId,
        ...noted,
        templateId: template.id,
        version: template.version,
        environmentId: place.environmentId,
        actorName: ctx.actor.name,
        createdAt: ctx.now(),
      },
    });
    await recordAudit(ctx, tx, {
      action: "template.tested",
      targetType: "template",
      targetId: template.id,
      unitId: place.unitId,
      environmentId: place.environmentId,
      data: {
        name: template.name,
        version: template.version,
        notificationId: noted.notificationId,
        ...(address === null ? {} : { address }),
      },
    });
  });
  return noted;
}

/** Deletes the record of a refused test, with an audit event. */
async function forgetTest(
  ctx: Ctx,
  template: Tested,
  place: Place,
  noted: { id: string; notificationId: string },
  code: string,
): Promise<void> {
  await inTenant(ctx, async (tx) => {
    await tx.templateTest.delete({ where: { tenantId_id: { tenantId: ctx.tenantId, id: noted.id } } });
    await recordAudit(ctx, tx, {
      action: "template.test_refused",
      targetType: "template",
      targetId: template.id,
      unitId: place.unitId,
      environmentId: place.environmentId,
      data: {
        name: template.name,
        version: template.version,
        notificationId: noted.notificationId,
        code,
      },
    });
  });
}
