import PQueue from "p-queue";
import type { SmtpSettings } from "../adapters/smtp/schemas.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { alone } from "../kernel/alone.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { lookUpTxt } from "../kernel/txt-records.ts";
import type { TxtLookUp } from "../kernel/txt-records.ts";
import { authorize, may } from "../operations/authorize.ts";
import { checkDomain } from "./check-domain.ts";
import type { DomainToCheck } from "./check-domain.ts";
import { dnsParts, mostDomains } from "./vocabulary.ts";
import type { DnsPart, SenderDomain, SenderDomainKey, SenderDomains } from "./schemas.ts";
import { saveCheck, selectSenderDomains, takeDomain, takeDueDomains } from "./sender-queries.ts";
import type { SenderDomainRow } from "./sender-queries.ts";

/** Domains of one run of the clock, and how many at once; with 20 s each a run ends before the next one. */
const domainsOfRun = 100;
const atOnce = 5;
/** A person may have a domain looked up again after so long. */
const pauseSeconds = 30;

/** The sender domains of the organisation's connections, with what DNS said last. */
export async function listSenderDomains(ctx: Ctx): Promise<SenderDomains> {
  authorize(ctx, "reports:read", {});
  const rows = await selectSenderDomains(ctx);
  return {
    data: rows.slice(0, mostDomains).map(present),
    more: rows.length > mostDomains,
    mayCheck: may(ctx, "providers:manage", {}),
  };
}

const present = (row: SenderDomainRow): SenderDomain => ({
  ...row,
  triedAt: row.triedAt?.toISOString() ?? null,
});

/**
 * Looks one domain up anew, now. Audited. Throws `not_found` for a domain that nothing is sent from, and `rate_limited` when it was
 * looked up seconds ago.
 */
export async function checkSender(
  ctx: Ctx,
  key: SenderDomainKey,
  lookUp: TxtLookUp = lookUpTxt,
): Promise<SenderDomain> {
  authorize(ctx, "providers:manage", {});
  const find = async () =>
    (await selectSenderDomains(ctx)).find(
      ({ domain, connectionId }) => domain === key.domain && connectionId === key.connectionId,
    );
  if (!(await find())) throw notFound();
  const { tenantId } = ctx;
  const taken = await inTenant(ctx, (tx) => takeDomain(tx, { tenantId, ...key }, pauseSeconds));
  if (!taken) {
    throw new DomainError(
      "rate_limited",
      "This domain was looked up a moment ago. Try again in half a minute.",
      {
        retryAfter: pauseSeconds,
      },
    );
  }
  await checkOne(ctx, key, lookUp);
  const row = await find();
  if (!row) throw notFound();
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, {
      action: "sender_domain.checked",
      targetType: "provider",
      targetId: key.connectionId,
      data: {
        domain: key.domain,
        ...Object.fromEntries(dnsParts.map((part) => [part, row[part]?.state ?? null])),
        problem: row.problem,
      },
    }),
  );
  return present(row);
}

/** Looks up what is due, of all organisations; run by the clock. Returns how many domains. */
export async function checkSenders(db: Db, lookUp: TxtLookUp = lookUpTxt): Promise<number> {
  const due = await takeDueDomains(db, domainsOfRun);
  const queue = new PQueue({ concurrency: atOnce });
  await Promise.all(
    due.map(({ tenantId, ...key }) =>
      queue.add(() =>
        alone(tenantId, "a sender domain could not be checked", () =>
          checkOne({ db, tenantId }, key, lookUp),
        ),
      ),
    ),
  );
  return due.length;
}

async function checkOne(
  ctx: Pick<Ctx, "db" | "tenantId">,
  key: SenderDomainKey,
  lookUp: TxtLookUp,
): Promise<void> {
  const connection = (await tenantConnections(ctx)).get(key.connectionId);
  if (!connection) return;
  const { found, problem } = await checkDomain(targetOf(key.domain, connection), lookUp);
  const checkedAt = new Date().toISOString();
  const dated = (part: (typeof found)["spf"]): DnsPart | null => part && { ...part, checkedAt };
  const [spf, dkim, dmarc] = [dated(found.spf), dated(found.dkim), dated(found.dmarc)];
  await inTenant(ctx, (tx) =>
    saveCheck(tx, { tenantId: ctx.tenantId, ...key }, { spf, dkim, dmarc, problem }),
  );
}

/** What the settings of a connection through SMTP say about its mails. */
function targetOf(domain: string, { adapter, connection }: ProviderConnection): DomainToCheck {
  const target = { domain, provider: adapter.name };
  if (adapter.name !== "smtp") return target;
  const { bounceDomain, dkim } = connection.settings as SmtpSettings;
  return { ...target, bounceDomain, dkim };
}
