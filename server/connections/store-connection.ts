import type { Ctx } from "../kernel/ctx.ts";
import type { Prisma, Tx } from "../kernel/db.ts";
import { sealText } from "../kernel/secrets.ts";
import { credentialsContext } from "./load-connection.ts";

type Columns = Omit<
  Prisma.ProviderConnectionUncheckedCreateInput,
  "tenantId" | "credentials" | "settings" | "createdAt" | "updatedAt"
>;

/**
 * Writes a connection that has been checked.
 * @param dataKey from dataKeyForWriting, in this transaction
 * @param credentials in the clear; stored sealed
 */
export async function insertConnection(
  ctx: Ctx,
  tx: Tx,
  dataKey: Uint8Array,
  { credentials, settings, ...columns }: Columns & { credentials: object; settings: unknown },
): Promise<void> {
  await tx.providerConnection.create({
    data: {
      ...columns,
      tenantId: ctx.tenantId,
      credentials: sealedCredentials(ctx, dataKey, columns.id, credentials),
      settings: JSON.parse(JSON.stringify(settings)) as object,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  });
}

/** Changes a connection. Processes tell a changed one by its time, so two changes never have the same. */
export async function writeConnection(
  ctx: Ctx,
  tx: Tx,
  before: { id: string; updatedAt: Date },
  columns: Prisma.ProviderConnectionUpdateInput,
): Promise<void> {
  await tx.providerConnection.update({
    where: { tenantId_id: { tenantId: ctx.tenantId, id: before.id } },
    data: { ...columns, updatedAt: new Date(Math.max(ctx.now().getTime(), before.updatedAt.getTime() + 1)) },
  });
}

/** For the columns `credentials` and `old_callback_secrets`. */
export function sealedCredentials(ctx: Ctx, dataKey: Uint8Array, id: string, credentials: object) {
  return Uint8Array.from(
    sealText(ctx.tenantId, dataKey, credentialsContext(id), JSON.stringify(credentials)),
  );
}

/** A tenant's connection to one of the operator's channels, by its name; null: the tenant has none of this name. */
export function findGivenConnection(tx: Tx, tenantId: string, name: string) {
  return tx.providerConnection.findFirst({
    where: { tenantId, name, platformChannelId: { not: null } },
    include: { platformChannel: { select: { id: true, name: true } } },
  });
}
