import { findEndingKeys, noteWarning } from "../access/ending-keys.ts";
import type { EndingKey } from "../access/ending-keys.ts";
import { systemCtx } from "../access/system-ctx.ts";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { endingKeyTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { readableTime, sendLink } from "./send-link.ts";

/** Keys that one run looks at, in all and of one organisation; the rest is the next hour's. */
const atOnce = { all: 200, each: 20 };
/** How long a warning may be under way, ms. */
const patience = 24 * 3_600_000;

/**
 * Mails the people of API keys that end soon, fourteen days before and three: whose they are, and who manages keys there. Each
 * gets each warning once, also when the process ends in between. An organisation without e-mail of its own has the mark in the
 * portal alone. Returns how many keys were looked at.
 */
export async function warnOfEndingKeys(db: Db): Promise<number> {
  const keys = await findEndingKeys(db, atOnce);
  for (const key of keys) {
    await warn(db, key);
    await noteWarning(db, key);
  }
  return keys.length;
}

async function warn(db: Db, key: EndingKey): Promise<void> {
  const ctx = systemCtx(db, key.tenantId, "Expiring keys");
  const { tenant, environments } = await getCatalogue(ctx);
  const environment = environments.find(({ id }) => id === key.environmentId);
  const query = new URLSearchParams({ env: environment?.slug ?? "", open: key.id });
  for (const person of key.people) {
    await sendLink(ctx, {
      template: endingKeyTemplate,
      email: person.email,
      unitId: key.unitId,
      variables: {
        name: person.name,
        key: key.name,
        environment: environment?.name ?? "",
        organisation: tenant.name,
        link: `${env().publicUrl}/${tenant.slug}/api-keys?${query.toString()}`,
        expires: readableTime(key.expiresAt),
      },
      expiresAt: new Date(ctx.now().getTime() + patience),
      once: `ending-key ${key.id} ${String(key.days)} ${person.id}`,
    });
  }
}
