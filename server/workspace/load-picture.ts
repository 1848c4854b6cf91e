import { ttlCache } from "../kernel/cache.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import { isSuspended } from "../tenancy/suspension.ts";
import { selectPicture } from "./branding-queries.ts";
import { readPictureName } from "./picture-address.ts";
import type { LogoKind } from "./schemas.ts";

interface Found {
  picture: { kind: LogoKind; bytes: Uint8Array<ArrayBuffer> } | null;
}

/** Removing a logo is seen everywhere within this time. What is not there is remembered, too. */
const keptMs = 30_000;

const cache = ttlCache<Found>({
  name: "logos",
  ttlMs: keptMs,
  max: 5_000,
  weight: { max: 16 * 1_024 * 1_024, of: ({ picture }) => 256 + (picture?.bytes.length ?? 0) },
});

/** Pictures that are read at once, each up to 256 KiB; the others wait. */
const reading = new Semaphore(4, {
  max: 200,
  refusal: () => new DomainError("service_overloaded", "Too many logos are asked for at once."),
});

/**
 * The picture behind an address that a mail or a page carries, for anybody; null for an address that is not ours, a logo that is
 * not the organisation's any more, and an organisation that is suspended or gone. An address that was made up costs no look into
 * the database, a known one none for half a minute. Throws `service_overloaded`.
 */
export async function loadPicture(
  db: Db,
  input: { tenantId: string; name: string },
): Promise<Found["picture"]> {
  const { tenantId, name } = input;
  const digest = readPictureName(tenantId, name);
  if (!digest || (await isSuspended(db, tenantId))) return null;
  const found = await cache.get(keyOf(tenantId, digest), async () => {
    const release = await reading.acquire(AbortSignal.timeout(keptMs));
    try {
      const row = await selectPicture({ db, tenantId }, digest);
      return { picture: row && { kind: row.kind, bytes: Uint8Array.from(row.picture) } };
    } finally {
      release();
    }
  });
  return found?.picture ?? null;
}

const keyOf = (tenantId: string, digest: Buffer) => `${tenantId} ${digest.toString("base64url")}`;

/** After a change: this process looks again. */
export function forgetPicture(tenantId: string, digest: string): void {
  cache.forget(keyOf(tenantId, Buffer.from(digest, "hex")));
}
