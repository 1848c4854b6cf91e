import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { forgetScimTokens } from "./authenticate-directory.ts";
import { authorizeToConnect, authorizeToRead } from "./authorize-directory.ts";
import { lockTokens, selectTokens } from "./queries.ts";
import { createTokenSchema, tokenSchema } from "./schemas.ts";
import { directoryLimits } from "./vocabulary.ts";
import type { CreateTokenInput, ListedToken, TokenInput } from "./schemas.ts";
import { makeScimToken } from "./scim-token.ts";

/** The tokens that work, newest first, and the address that goes with them. */
export async function listTokens(ctx: Ctx): Promise<{ address: string; data: ListedToken[] }> {
  authorizeToRead(ctx);
  const rows = await inTenant(ctx, (tx) => selectTokens(tx, ctx.tenantId, ctx.now()));
  return {
    address: `${env().publicUrl}/scim/v2`,
    data: rows.map(({ createdByName, ...row }) => ({ ...row, createdBy: createdByName })),
  };
}

/** Makes a token for a directory, whose text is shown this once. Needs every permission; throws `conflict` for one too many. */
export async function createToken(ctx: Ctx, input: CreateTokenInput): Promise<{ id: string; token: string }> {
  const { name } = createTokenSchema.parse(input);
  authorizeToConnect(ctx);
  return inTenant(ctx, (tx) => insertToken(ctx, tx, name));
}

async function insertToken(ctx: Ctx, tx: Tx, name: string, replaces?: string) {
  const { tenantId } = ctx;
  await lockTokens(tx, tenantId);
  if ((await selectTokens(tx, tenantId, ctx.now())).length >= directoryLimits.tokens) {
    const limit = String(directoryLimits.tokens);
    throw new DomainError("conflict", `There are ${limit} tokens already. Revoke one first.`);
  }
  const id = newId();
  const made = makeScimToken(tenantId, id);
  await tx.scimToken.create({
    data: {
      tenantId,
      id,
      name,
      hash: Uint8Array.from(made.hash),
      hint: made.hint,
      createdByName: ctx.actor.name,
      createdAt: ctx.now(),
    },
  });
  await recordAudit(ctx, tx, {
    action: "scim_token.created",
    targetType: "scim_token",
    targetId: id,
    data: { name, ...(replaces === undefined ? {} : { replaces }) },
    after: { revokedAt: null, expiresAt: null },
  });
  return { id, token: made.text };
}

/**
 * Makes another token of the same name; the one before works for a day longer, so that the directory can change over. Needs
 * every permission. Throws `not_found` for one that does not work any more and `conflict` for one that was replaced.
 */
export async function rotateToken(ctx: Ctx, input: TokenInput): Promise<{ id: string; token: string }> {
  const { id } = tokenSchema.parse(input);
  authorizeToConnect(ctx);
  const { tenantId } = ctx;
  const made = await inTenant(ctx, async (tx) => {
    await lockTokens(tx, tenantId);
    const token = await requireToken(ctx, tx, id);
    if (token.expiresAt) throw new DomainError("conflict", "It was replaced already.");
    const expiresAt = new Date(ctx.now().getTime() + directoryLimits.overlapHours * 3_600_000);
    await tx.scimToken.updateMany({ where: { tenantId, id }, data: { expiresAt } });
    await recordAudit(ctx, tx, {
      action: "scim_token.replaced",
      targetType: "scim_token",
      targetId: id,
      data: { name: token.name },
      before: { expiresAt: null },
      after: { expiresAt },
    });
    return insertToken(ctx, tx, token.name, id);
  });
  forgetScimTokens();
  return made;
}

/** Ends a token: it is refused at once by this process and within two seconds by the others. Needs every permission. */
export async function revokeToken(ctx: Ctx, input: TokenInput): Promise<void> {
  const { id } = tokenSchema.parse(input);
  authorizeToConnect(ctx);
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    await lockTokens(tx, tenantId);
    const token = await requireToken(ctx, tx, id);
    const revokedAt = ctx.now();
    await tx.scimToken.updateMany({ where: { tenantId, id }, data: { revokedAt } });
    await recordAudit(ctx, tx, {
      action: "scim_token.revoked",
      targetType: "scim_token",
      targetId: id,
      data: { name: token.name },
      before: { revokedAt: null },
      after: { revokedAt },
    });
  });
  forgetScimTokens();
}

async function requireToken(ctx: Ctx, tx: Tx, id: string): Promise<ListedTokenRow> {
  const token = (await selectTokens(tx, ctx.tenantId, ctx.now())).find((each) => each.id === id);
  if (!token) throw notFound();
  return token;
}
type ListedTokenRow = Awaited<ReturnType<typeof selectTokens>>[number];
