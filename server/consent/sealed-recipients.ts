import type { Tx } from "../kernel/db.ts";
import { openText, sealText } from "../kernel/secrets.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";

/** What the addresses of an erasure are sealed for, as long as it needs them. */
export const sealedRecipientsContext = (erasureId: string): string => `erasures:${erasureId}`;

/** Addresses that are to be forgotten, sealed: neither a job nor a row shows them. */
export async function sealRecipients(
  tx: Tx,
  tenantId: string,
  erasureId: string,
  addresses: readonly string[],
): Promise<Buffer> {
  const dataKey = await dataKeyForWriting(tx, tenantId);
  return sealText(tenantId, dataKey, sealedRecipientsContext(erasureId), JSON.stringify(addresses));
}

/** Key and box from one statement. */
export function openRecipients(
  tenantId: string,
  erasureId: string,
  row: { recipients: Uint8Array; dataKey: Uint8Array },
): string[] {
  return JSON.parse(
    openText(tenantId, row.dataKey, sealedRecipientsContext(erasureId), row.recipients),
  ) as string[];
}
