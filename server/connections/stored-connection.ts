import type { Adapter } from "../adapters/adapter.ts";
import { findAdapter } from "../adapters/adapters.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { openText } from "../kernel/secrets.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { authorizeConnection } from "./connection-access.ts";
import { credentialsContext } from "./load-connection.ts";
import { openOldSecrets } from "./old-callback-secrets.ts";
import type { OldSecrets } from "./old-callback-secrets.ts";
import { selectSealedConnection } from "./queries.ts";
import type { SealedConnection } from "./queries.ts";

type Fields = Record<string, unknown>;

/** A connection that the actor may see or manage. Throws `not_found` and `permission_denied` as authorizeConnection does. */
export async function requireConnection(
  ctx: Ctx,
  catalogue: Catalogue,
  permission: "providers:read" | "providers:manage",
  id: string,
): Promise<SealedConnection> {
  const row = await selectSealedConnection(ctx, id);
  if (!row) throw notFound();
  authorizeConnection(ctx, catalogue, permission, row.unitId);
  return row;
}

/** The adapter by name. Throws `invalid_request` for one that this version does not have. */
export function requireAdapter(name: string): Adapter {
  const adapter = findAdapter(name);
  if (adapter) return adapter;
  throw new DomainError("invalid_request", "This version cannot speak to that provider.", {
    errors: [{ pointer: "/provider", code: "unknown_provider", detail: "See GET /v1/provider-adapters" }],
  });
}

/** The decrypted stored credentials; null when they cannot be decrypted, as after a lost key. */
export function openCredentials(tenantId: string, row: SealedConnection): Fields | null {
  if (row.platformChannelId !== null) return {};
  try {
    const text = openText(tenantId, row.dataKey, credentialsContext(row.id), row.credentials);
    return JSON.parse(text) as Fields;
  } catch {
    return null;
  }
}

/** What callbacks are verified with besides the credentials. */
export function oldSecretsOf(tenantId: string, row: SealedConnection, now: Date): OldSecrets {
  const open = (box: Uint8Array) => openText(tenantId, row.dataKey, credentialsContext(row.id), box);
  return openOldSecrets(row.oldCallbackSecrets, open, now);
}

/** The public address that a provider reports to. */
export function callbackUrlOf(connectionId: string): string {
  return `${env().publicUrl}/api/callbacks/${connectionId}`;
}
