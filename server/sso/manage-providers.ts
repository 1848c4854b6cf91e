import { changeMembers, rolesById } from "../access/directory-access.ts";
import { forgetAccess } from "../access/end-access.ts";
import {
  countIdentities,
  endProviderSessions,
  forgetIdentities,
  takeProviderRoles,
} from "../access/sign-in-through-provider.ts";
import { refuseOutdated } from "../access/revision.ts";
import { maySignInBy } from "../access/sign-in-policy.ts";
import { signInWays } from "../access/vocabulary.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { authorizeToConnect, authorizeToRead } from "../directory/authorize-directory.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import { checkAddress } from "../kernel/check-address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { sealText } from "../kernel/secrets.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { clientSecretContext } from "./client-secret.ts";
import { forgetProvider } from "./oidc-client.ts";
import { lockProvider, lockProviders, selectProviders, selectRules } from "./queries.ts";
import { redirectUri } from "./redirect-uri.ts";
import {
  createProviderSchema,
  providerSchema,
  ssoLimits,
  switchProviderSchema,
  updateProviderSchema,
} from "./schemas.ts";
import type {
  CreateProviderInput,
  ListedProvider,
  ProviderInput,
  SwitchProviderInput,
  UpdateProviderInput,
} from "./schemas.ts";

/*
 * Who connects an identity provider decides who anybody of the organisation's domains is: it takes every permission, as connecting a
 * directory does. The client secret is written and never read out again.
 */

/** The organisation's identity providers, each with its rules, and the address that they send people back to. */
export async function listProviders(ctx: Ctx): Promise<{
  redirectUri: string;
  /** Whether the organisation's policy lets people in through them. */
  allowed: boolean;
  data: ListedProvider[];
}> {
  authorizeToRead(ctx);
  const { tenantId } = ctx;
  const allowed = await maySignInBy(ctx, "identity_provider");
  const data = await inTenant(ctx, async (tx) => {
    const rows = await selectProviders(tx, tenantId);
    const rules = await selectRules(tx, tenantId);
    const roles = await rolesById(tx, tenantId, rules.map(({ roleId }) => roleId)); // prettier-ignore
    const people = await countIdentities(tx, tenantId);
    return rows.map(({ createdByName, ...row }): ListedProvider => ({
      ...row,
      revision: jsonHash(settingsOf(row)),
      createdBy: createdByName,
      people: people.get(row.id) ?? 0,
      rules: rules
        .filter(({ providerId }) => providerId === row.id)
        .flatMap(({ id, value, roleId, unitId, createdByName: createdBy }) => {
          const role = roles.get(roleId);
          if (!role) return [];
          const { key, name, permissions } = role;
          return [{ id, value, role: { key, name, permissions }, unitId, createdBy }];
        }),
    }));
  });
  return { redirectUri: redirectUri(tenantId), allowed, data };
}

const taken = "There is a provider of this name already.";

/** Adds a provider, switched off. Needs every permission. Throws `conflict` for one too many and for a name that is there. */
export async function createProvider(ctx: Ctx, input: CreateProviderInput): Promise<{ id: string }> {
  const { clientSecret, ...settings } = createProviderSchema.parse(input);
  authorizeToConnect(ctx);
  await checkIssuer(settings);
  const { tenantId } = ctx;
  const id = newId();
  return refuseRepeated("/name", taken, () =>
    inTenant(ctx, async (tx) => {
      const dataKey = await dataKeyForWriting(tx, tenantId);
      await lockProviders(tx, tenantId);
      if ((await tx.identityProvider.count({ where: { tenantId } })) >= ssoLimits.providers) {
        const limit = String(ssoLimits.providers);
        throw new DomainError("conflict", `There are ${limit} providers already. Remove one first.`);
      }
      const at = ctx.now();
      await tx.identityProvider.create({
        data: {
          tenantId,
          id,
          ...settings,
          clientSecret: Uint8Array.from(sealText(tenantId, dataKey, clientSecretContext(id), clientSecret)),
          createdByName: ctx.actor.name,
          createdAt: at,
          updatedAt: at,
        },
      });
      await recordAudit(ctx, tx, {
        action: "identity_provider.added",
        targetType: "identity_provider",
        targetId: id,
        data: { name: settings.name },
        after: { ...settings, enabled: false },
      });
      return { id };
    }),
  );
}

/**
 * Changes a provider. With another issuer or client, nobody is known there any more: sessions through it end, and at their next
 * sign-in people are found by their address; the secret has to be given again. Needs every permission. Throws `revision_conflict` when
 * somebody has changed it since it was read.
 */
export async function updateProvider(ctx: Ctx, input: UpdateProviderInput): Promise<void> {
  const { id, revision, clientSecret, ...settings } = updateProviderSchema.parse(input);
  authorizeToConnect(ctx);
  await checkIssuer(settings);
  const { tenantId } = ctx;
  await refuseRepeated("/name", taken, () =>
    inTenant(ctx, async (tx) => {
      const dataKey = await dataKeyForWriting(tx, tenantId);
      const before = await requireProvider(tx, tenantId, id);
      refuseOutdated("the provider", revision, jsonHash(settingsOf(before)));
      const another = before.issuer !== settings.issuer || before.clientId !== settings.clientId;
      if (another && clientSecret === undefined) {
        throw wrong(
          "/clientSecret",
          "Enter the secret again: another issuer or client is not to get this one.",
        );
      }
      const sealed = clientSecret === undefined ? null : sealText(tenantId, dataKey, clientSecretContext(id), clientSecret); // prettier-ignore
      await tx.identityProvider.update({
        where: { tenantId_id: { tenantId, id } },
        data: {
          ...settings,
          ...(sealed ? { clientSecret: Uint8Array.from(sealed) } : {}),
          updatedAt: ctx.now(),
        },
      });
      const forgotten = another ? await forgetIdentities(ctx, tx, id) : 0;
      const sessionsEnded = another ? await endProviderSessions(ctx, tx, id) : 0;
      await recordAudit(ctx, tx, {
        action: "identity_provider.changed",
        targetType: "identity_provider",
        targetId: id,
        data: {
          name: settings.name,
          secretChanged: sealed !== null,
          ...(another ? { peopleForgotten: forgotten, sessionsEnded } : {}),
        },
        ...changes(settingsOf(before), settings),
      });
      forgetProvider({ tenantId, id, issuer: before.issuer });
    }),
  );
  forgetAccess();
}

/**
 * Offers a provider to the people of the organisation's domains, or no more: then the sessions that it began end. Needs every
 * permission. Throws `conflict` when it is the last one and the organisation lets people in no other way.
 */
export async function switchProvider(ctx: Ctx, input: SwitchProviderInput): Promise<void> {
  const { id, enabled } = switchProviderSchema.parse(input);
  authorizeToConnect(ctx);
  const { tenantId } = ctx;
  const needed = !enabled && (await isOnlyWay(ctx));
  await inTenant(ctx, async (tx) => {
    await lockProviders(tx, tenantId);
    const before = await requireProvider(tx, tenantId, id);
    if (before.enabled === enabled) return;
    if (needed) await keepAnother(tx, tenantId, id);
    const where = { tenantId_id: { tenantId, id } };
    await tx.identityProvider.update({ where, data: { enabled, updatedAt: ctx.now() } });
    const sessionsEnded = enabled ? 0 : await endProviderSessions(ctx, tx, id);
    await recordAudit(ctx, tx, {
      action: enabled ? "identity_provider.switched_on" : "identity_provider.switched_off",
      targetType: "identity_provider",
      targetId: id,
      data: { name: before.name, ...(enabled ? {} : { sessionsEnded }) },
      before: { enabled: before.enabled },
      after: { enabled },
    });
  });
  forgetAccess();
}

/**
 * Removes a provider with its rules, the roles that they gave, and the sessions that it began; accounts stay. Needs every
 * permission. Throws `conflict` as switching it off does, and when nobody would own the organisation any more.
 */
export async function removeProvider(ctx: Ctx, input: ProviderInput): Promise<void> {
  const { id } = providerSchema.parse(input);
  authorizeToConnect(ctx);
  const { tenantId } = ctx;
  const needed = await isOnlyWay(ctx);
  await changeMembers(ctx, async (tx) => {
    await lockProviders(tx, tenantId);
    const before = await requireProvider(tx, tenantId, id);
    if (needed && before.enabled) await keepAnother(tx, tenantId, id);
    const rules = await tx.identityProviderRule.deleteMany({ where: { tenantId, providerId: id } });
    const rolesTaken = await takeProviderRoles(ctx, tx, id);
    const sessionsEnded = await endProviderSessions(ctx, tx, id);
    const peopleForgotten = await forgetIdentities(ctx, tx, id);
    await tx.identityProvider.delete({ where: { tenantId_id: { tenantId, id } } });
    const { kind, name, issuer, clientId } = before;
    await recordAudit(ctx, tx, {
      action: "identity_provider.removed",
      targetType: "identity_provider",
      targetId: id,
      data: { name, rules: rules.count, rolesTaken, sessionsEnded, peopleForgotten },
      before: { kind, name, issuer, clientId },
    });
  });
}

/** What of a provider a change replaces, but for the secret. */
function settingsOf(provider: Omit<CreateProviderInput, "kind" | "clientSecret"> & { kind: string }) {
  const { kind, name, issuer, clientId, scopes, roleClaim, admits } = provider;
  return { kind, name, issuer, clientId, scopes, roleClaim, admits };
}

async function requireProvider(tx: Tx, tenantId: string, id: string) {
  const provider = await lockProvider(tx, tenantId, id);
  if (!provider) throw notFound();
  return provider;
}

/** Whether the organisation lets people in through its identity providers alone. */
async function isOnlyWay(ctx: Ctx): Promise<boolean> {
  const usable = signInWays.filter((way) => way !== "single_sign_on" || env().oidc);
  const allowed = await Promise.all(usable.map((way) => maySignInBy(ctx, way)));
  return usable.every((way, index) => allowed[index] === (way === "identity_provider"));
}

async function keepAnother(tx: Tx, tenantId: string, id: string): Promise<void> {
  if ((await tx.identityProvider.count({ where: { tenantId, enabled: true, NOT: { id } } })) > 0) return;
  throw new DomainError(
    "conflict",
    "People can sign in through this provider only. Allow another way first, under Settings → Sign-in.",
  );
}

const wrong = (pointer: string, detail: string, code = "invalid_value") =>
  new DomainError("invalid_request", detail, { errors: [{ pointer, code, detail }] });

/** Throws `invalid_request` for an issuer that cannot be called, or that is no organisation's own. */
async function checkIssuer({ kind, issuer }: { kind: string; issuer: string }): Promise<void> {
  const url = new URL(issuer);
  const tls = url.protocol === "https:";
  const port = Number(url.port) || (tls ? 443 : 80);
  const verdict = await checkAddress({ host: url.hostname, port, tls });
  if (verdict === "insecure")
    throw wrong("/issuer", "The address has to begin with https://.", "https_required");
  if (verdict === "forbidden")
    throw wrong("/issuer", "The address is not a public one.", "forbidden_address");
  const directory = /^\/([^/]+)\/v2\.0\/?$/.exec(url.pathname)?.[1];
  const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
  if (kind === "entra" && (directory === undefined || !uuid.test(directory))) {
    throw wrong(
      "/issuer",
      "It has to name your own directory: https://login.microsoftonline.com/<directory (tenant) ID>/v2.0",
    );
  }
}
