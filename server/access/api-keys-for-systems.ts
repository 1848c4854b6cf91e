import { DomainError } from "../kernel/errors.ts";
import type { RestCtx } from "../operations/operation.ts";
import { may } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { requireEnvironment, unknownApplication } from "../tenancy/unknown-names.ts";
import type { z } from "zod";
import { createApiKey } from "./create-api-key.ts";
import type { NewApiKey } from "./create-api-key.ts";
import { selectApiKey } from "./queries.ts";
import { listApiKeys } from "./list-api-keys.ts";
import type { apiKeyCreateSchema, apiKeyListQuerySchema, apiKeySchema } from "./schemas.ts";

/** The keys of the caller's environment that it may manage, newest first, without their texts. */
export async function listKeysForSystems(
  ctx: RestCtx,
  { includeEnded, ...page }: z.output<typeof apiKeyListQuerySchema>,
): Promise<{ data: z.output<typeof apiKeySchema>[]; nextCursor: string | null }> {
  const [{ data, nextCursor }, { environments, applications }] = await Promise.all([
    listApiKeys(ctx, { ...page, environmentId: ctx.environmentId, includeEnded: includeEnded === "true" }),
    getCatalogue(ctx),
  ]);
  const keys = data.map((key) => ({
    id: key.id,
    name: key.name,
    purpose: key.purpose,
    hint: key.hint,
    environment: environments.find(({ id }) => id === key.environmentId)?.slug ?? "",
    application: applications.find(({ id }) => id === key.applicationId)?.name ?? null,
    role: key.role,
    rateLimitPerMinute: key.rateLimitPerMinute,
    allowedNetworks: key.allowedNetworks,
    state: key.state,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  }));
  return { data: keys, nextCursor };
}

/**
 * Creates a key that reaches no further than the caller's: in its environment unless the caller may manage keys of another one, and
 * bound to its application or unit when it is bound itself. Throws `unknown_application`, and `invalid_request` for an environment
 * that does not exist.
 */
export async function createKeyForSystems(
  ctx: RestCtx,
  { application, environment, expiresAt, ...wanted }: z.output<typeof apiKeyCreateSchema>,
): Promise<NewApiKey> {
  const catalogue = await getCatalogue(ctx);
  const environmentId =
    environment === undefined ? ctx.environmentId : requireEnvironment(catalogue, environment).id;
  // One that the caller may not use is as unknown as one that is not there.
  const named = catalogue.applications.find(
    ({ id, name, unitId }) =>
      name === application && may(ctx, "api_keys:manage", { environmentId, unitId, applicationId: id }),
  );
  if (application !== undefined && !named) throw unknownApplication();
  const applicationId = named?.id ?? ctx.applicationId ?? undefined;
  const unitId = applicationId === undefined ? (ctx.unitId ?? undefined) : undefined;
  const own = ctx.actor.id === null ? null : await selectApiKey(ctx, ctx.actor.id);
  if (!own) throw new DomainError("permission_denied", "Only an API key creates keys over the API.");
  const limits = withinLimits(own, {
    ...wanted,
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) }),
  });
  return createApiKey(ctx, {
    ...wanted,
    ...limits,
    environmentId,
    ...(applicationId === undefined ? {} : { applicationId }),
    ...(unitId === undefined ? {} : { unitId }),
  });
}

/**
 * What a key may be made with by another one: its networks, end and rate unless it asks for less. Otherwise a key that is bound to a
 * network would, once it leaked, be worth as much as one that is not.
 */
function withinLimits(
  own: { allowedNetworks: string[]; expiresAt: Date | null; rateLimitPerMinute: number },
  wanted: {
    allowedNetworks?: string[] | undefined;
    expiresAt?: Date;
    rateLimitPerMinute?: number | undefined;
  },
): { allowedNetworks: string[]; expiresAt?: Date; rateLimitPerMinute: number } {
  const allowedNetworks = wanted.allowedNetworks ?? own.allowedNetworks;
  const isOwn = (network: string) => own.allowedNetworks.includes(network.trim().toLowerCase());
  if (own.allowedNetworks.length > 0 && (allowedNetworks.length === 0 || !allowedNetworks.every(isOwn)))
    throw beyond(
      "allowedNetworks",
      "The key you use is bound to networks: name some of these, or leave it out.",
    );
  const expiresAt = wanted.expiresAt ?? own.expiresAt ?? undefined;
  if (own.expiresAt && expiresAt && expiresAt > own.expiresAt)
    throw beyond("expiresAt", "A key can't outlive the key that creates it.");
  const rateLimitPerMinute = wanted.rateLimitPerMinute ?? Math.min(6_000, own.rateLimitPerMinute);
  if (rateLimitPerMinute > own.rateLimitPerMinute)
    throw beyond("rateLimitPerMinute", "A key can't have a higher limit than the key that creates it.");
  return { allowedNetworks, rateLimitPerMinute, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

function beyond(member: string, detail: string): DomainError {
  return new DomainError("permission_denied", detail, {
    errors: [{ pointer: `/${member}`, code: "beyond_own_limits", detail }],
  });
}
