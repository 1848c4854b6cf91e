import { insertApiKey } from "../access/create-api-key.ts";
import type { NewApiKey } from "../access/create-api-key.ts";
import { makePasswordLink } from "../access/password-links.ts";
import { insertSimulator } from "../connections/insert-simulator.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { insertFirstRule } from "../routing/insert-first-rule.ts";
import { checkFirstTemplates, insertFirstTemplates } from "../templates/insert-first-templates.ts";
import { insertApplication } from "../workspace/create-application.ts";
import { insertEnvironment } from "../workspace/create-environment.ts";
import { insertNotificationType } from "../workspace/create-notification-type.ts";
import { createTenant } from "../workspace/create-tenant.ts";
import type { NewTenant, TenantRow } from "../workspace/create-tenant.ts";
import { insertUnit } from "../workspace/create-unit.ts";
import { firstTemplates, firstTypes } from "./first-templates.ts";
import type { FirstLanguage } from "./first-templates.ts";

export interface OrganisationInput {
  slug: string;
  name: string;
  dataRegion: string;
  /** Country whose numbers may be written without a prefix, e.g. "DE". */
  country: string;
  /** The language of the first texts, and what messages are in that name none. */
  language: FirstLanguage;
  /** Members of tenantSettingsSchema. */
  settings?: Record<string, unknown>;
  owner: { email: string; name: string; password: string | null };
  /** The first team and the first application: what requests call it. */
  team: { slug: string; name: string };
  application: { name: string; title: string };
}

interface NewOrganisation extends NewTenant {
  slug: string;
  unitId: string;
  stagingId: string;
  productionId: string;
  applicationId: string;
  simulatorId: string;
  /** Sends in the sandbox; its text is shown this once. */
  sandboxKey: NewApiKey;
  /** Where the owner has no password yet: chooses one. */
  passwordLink: { token: string; expiresAt: Date } | null;
}

/**
 * The one way in which a tenant comes into being: an organisation that sends in its sandbox at once. In one transaction, its
 * owner, data key and roles; a sandbox, staging and production; a team, an application with its pipeline, a type of each
 * class, texts for them that are live in the sandbox, the simulator, and a key for the sandbox. Throws `conflict` when the
 * short name is taken.
 * @param options.insert how the row is added where the role may not do so itself
 * @param options.by who does it, as the audit trail names them
 * @param options.languages of the first texts, where it is not the one
 * @param options.everywhere the texts are live in staging and production, too
 */
export async function createOrganisation(
  db: Db,
  input: OrganisationInput,
  options: {
    insert?: (tx: Tx, row: TenantRow) => Promise<void>;
    by?: { name: string; requestId: string };
    languages?: readonly FirstLanguage[];
    everywhere?: boolean;
  } = {},
): Promise<NewOrganisation> {
  const templates = await checkFirstTemplates(
    firstTemplates(input.name, options.languages ?? [input.language]),
  );
  const { completed, ...tenant } = await createTenant(db, input, {
    ...(options.insert ? { insert: options.insert } : {}),
    ...(options.by ? { by: options.by } : {}),
    complete: async (ctx, tx, made) => {
      const { sandboxId } = made;
      const unitId = await insertUnit(ctx, tx, input.team);
      const stagingId = await insertEnvironment(ctx, tx, {
        slug: "staging",
        name: "Staging",
        kind: "nonproduction",
      });
      const productionId = await insertEnvironment(ctx, tx, {
        slug: "production",
        name: "Production",
        kind: "production",
      });
      const applicationId = await insertApplication(
        ctx,
        tx,
        {
          ...input.application,
          unitId,
          defaultRegion: input.country,
          defaultLanguage: input.language,
        },
        [
          { id: stagingId, kind: "nonproduction" },
          { id: productionId, kind: "production" },
        ],
      );
      for (const type of firstTypes) {
        await insertNotificationType(ctx, tx, { ...type, subtypes: [...type.subtypes] });
      }
      const simulatorId = await insertSimulator(ctx, tx, {
        processingRegion: input.dataRegion,
        senders: [
          { channel: "sms", sender: smsSender(input.name) },
          // From the range that is kept free for examples.
          { channel: "whatsapp", sender: "+493023125000" },
          { channel: "email", sender: `notifications@${input.slug}.example` },
        ],
      });
      await insertFirstRule(ctx, tx, {
        environmentId: sandboxId,
        name: "Everything to the simulator",
        connectionId: simulatorId,
      });
      await insertFirstTemplates(ctx, tx, {
        application: { id: applicationId, unitId },
        environmentIds: options.everywhere ? [stagingId, productionId, sandboxId] : [stagingId, sandboxId],
        templates,
      });
      const sandboxKey = await insertApiKey(ctx, tx, {
        name: "First key, sandbox",
        kind: "sandbox",
        scope: { environmentId: sandboxId, applicationId: null, unitId: null },
        unitId: null,
        role: { id: made.roleIds.sender, key: "sender" },
        creatorId: made.ownerId,
        expiresAt: null,
      });
      const passwordLink =
        input.owner.password === null ? await makePasswordLink(ctx, tx, made.ownerId) : null;
      return { unitId, stagingId, productionId, applicationId, simulatorId, sandboxKey, passwordLink };
    },
  });
  return { ...tenant, slug: input.slug, ...completed };
}

/** A name as phones show it: at most eleven letters and digits. */
function smsSender(name: string): string {
  const letters = name
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 11);
  return /[A-Za-z]/.test(letters) ? letters : "Sandbox";
}
