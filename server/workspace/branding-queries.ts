import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { picturePath } from "./picture-address.ts";
import type { LogoKind } from "./schemas.ts";
import type { Branding } from "./vocabulary.ts";

type Chosen = Pick<Branding, "accent" | "senderName" | "support">;

interface Row extends Chosen {
  digest: Uint8Array | null;
  kind: LogoKind;
  width: number;
  height: number;
  bytes: number;
}

/** Of every organisation, also one that has chosen nothing. Reads no picture. */
const brandingOf = `SELECT b.accent, b.sender_name, b.support, l.digest, l.kind, l.width, l.height, octet_length(l.picture) AS bytes
  FROM (SELECT $1::uuid AS tenant_id) AS t
  LEFT JOIN brandings b ON b.tenant_id = t.tenant_id
  LEFT JOIN brand_logos l ON l.tenant_id = t.tenant_id`;

function present(tenantId: string, row: Row | undefined): Branding {
  const { digest = null, kind = "png", width = 0, height = 0, bytes = 0 } = row ?? {};
  return {
    accent: row?.accent ?? null,
    senderName: row?.senderName ?? null,
    support: row?.support ?? null,
    logo: digest === null ? null : { path: picturePath(tenantId, digest), kind, width, height, bytes },
  };
}

export async function selectBranding(ctx: Pick<Ctx, "db" | "tenantId">): Promise<Branding> {
  const [row] = await queryInTenant<Row>(ctx, brandingOf, [ctx.tenantId]);
  return present(ctx.tenantId, row);
}

/** The picture of a digest, if it is the organisation's logo now. */
export async function selectPicture(
  ctx: Pick<Ctx, "db" | "tenantId">,
  digest: Buffer,
): Promise<{ kind: LogoKind; picture: Buffer } | null> {
  const [row] = await queryInTenant<{ kind: LogoKind; picture: Buffer }>(
    ctx,
    "SELECT kind, picture FROM brand_logos WHERE tenant_id = $1 AND digest = $2",
    [ctx.tenantId, digest],
  );
  return row ?? null;
}

/** One change at a time, until the transaction ends. */
export async function lockBranding(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('branding ' || ${tenantId}, 0))`;
}

export async function readChosen(tx: Tx, tenantId: string): Promise<Chosen> {
  const row = await tx.branding.findUnique({
    where: { tenantId },
    select: { accent: true, senderName: true, support: true },
  });
  return row ?? { accent: null, senderName: null, support: null };
}

export async function writeChosen(tx: Tx, tenantId: string, chosen: Partial<Chosen>): Promise<void> {
  await tx.branding.upsert({ where: { tenantId }, create: { tenantId, ...chosen }, update: chosen });
}

/** A logo as the audit trail has it: which it is, not the picture. */
export interface LogoFacts {
  digest: string;
  kind: LogoKind;
  width: number;
  height: number;
}

export async function readLogo(tx: Tx, tenantId: string): Promise<LogoFacts | null> {
  const row = await tx.brandLogo.findUnique({
    where: { tenantId },
    select: { digest: true, kind: true, width: true, height: true },
  });
  if (!row) return null;
  const { digest, kind, width, height } = row;
  return { digest: Buffer.from(digest).toString("hex"), kind: kind as LogoKind, width, height };
}

export async function writeLogo(
  tx: Tx,
  tenantId: string,
  { digest, ...facts }: LogoFacts,
  picture: Buffer,
): Promise<void> {
  const logo = {
    ...facts,
    digest: Uint8Array.from(Buffer.from(digest, "hex")),
    picture: Uint8Array.from(picture),
  };
  const select = { tenantId: true };
  await tx.brandLogo.upsert({ where: { tenantId }, create: { tenantId, ...logo }, update: logo, select });
}

export async function deleteLogo(tx: Tx, tenantId: string): Promise<void> {
  await tx.brandLogo.deleteMany({ where: { tenantId } });
}
