import { findEndingKeys, findPeopleOf, noteWarning } from "../access/ending-keys.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { alone } from "../kernel/alone.ts";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { endingKeyTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { readableTime, sendLink } from "./send-link.ts";

/** Keys that one run looks at, in all and of one organisation; the rest is the next hour's. */
const atOnce = { all: 200, each: 20 };
const hour = 3_600_000;
/** How long a warning may be under way, ms. */
const patience = 24 * hour;
/** For how long what some have got is tried again for others, ms: as long as its name keeps it from being sent twice. */
const triedFor = 20 * hour;

/**
 * Mails the people of API keys that end soon, fourteen days before and three: whose they are, and who manages keys there. Each
 * gets each warning once, also when the process ends in between; what fails for a passing reason is tried again by the next runs. An
 * organisation without e-mail of its own has the mark in the portal alone. Returns how many keys were looked at.
 */
export async function warnOfEndingKeys(db: Db): Promise<number> {
  const keys = await findEndingKeys(db, atOnce);
  for (const key of keys)
    await alone(key.tenantId, "the people of a key that ends soon could not be warned", async () => {
      if (await warn(db, key)) await noteWarning(db, key);
    });
  return keys.length;
}

type EndingKey = Awaited<ReturnType<typeof findEndingKeys>>[number];

/** Returns whether that is all that can be done. */
async function warn(db: Db, key: EndingKey): Promise<boolean> {
  const ctx = systemCtx(db, key.tenantId, "Expiring keys");
  const { tenant, environments } = await getCatalogue(ctx);
  const environment = environments.find(({ id }) => id === key.environmentId);
  const query = new URLSearchParams({ env: environment?.slug ?? "", open: key.id });
  let [reached, failing] = [false, false];
  for (const person of await findPeopleOf(db, key)) {
    const delivery = await sendLink(ctx, {
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
    reached ||= delivery.by === "email";
    failing ||= delivery.by === "nobody" && delivery.why === "failed";
  }
  const since = key.expiresAt.getTime() - key.days * 24 * hour;
  return !failing || (reached && ctx.now().getTime() - since >= triedFor);
}
