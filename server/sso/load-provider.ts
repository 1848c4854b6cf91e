import type { Ctx } from "../kernel/ctx.ts";
import { openText } from "../kernel/secrets.ts";
import { clientSecretContext } from "./client-secret.ts";
import { selectProvider } from "./queries.ts";
import type { ProviderRow } from "./queries.ts";

/** A provider with its secret in the clear. */
export type Provider = Omit<ProviderRow, "clientSecret" | "dataKey"> & {
  tenantId: string;
  clientSecret: string;
};

/** One provider of the tenant, switched on or not; undefined when there is none. */
export async function loadProvider(
  ctx: Pick<Ctx, "db" | "tenantId">,
  id: string,
): Promise<Provider | undefined> {
  const row = await selectProvider(ctx, id);
  if (!row) return undefined;
  const { clientSecret, dataKey, ...provider } = row;
  const { tenantId } = ctx;
  return {
    ...provider,
    tenantId,
    clientSecret: openText(tenantId, dataKey, clientSecretContext(id), clientSecret),
  };
}
