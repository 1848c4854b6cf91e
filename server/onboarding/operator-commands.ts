import type { Pool } from "pg";
import { dropPasskeys } from "../access/manage-passkeys.ts";
import { dropSecondFactor } from "../access/manage-second-factor.ts";
import { makePasswordLink } from "../access/password-links.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { deleteSetUpToken, findMemberByAddress, listTenants } from "./queries.ts";
import type { ListedTenant } from "./queries.ts";

/** The page on which somebody chooses a password; the token after the hash sign goes to nobody but that page. */
export function passwordAddress(token: string): string {
  return `${env().publicUrl}/set-password#${token}`;
}

/** The organisations of the installation, by short name. For whoever runs it. */
export function listOrganisations(owner: Pick<Pool, "query">): Promise<ListedTenant[]> {
  return listTenants(owner);
}

/**
 * A new link with which a member chooses a password. For whoever runs the installation; audited. Throws `not_found`.
 * @param input.withoutSecondFactor takes theirs away as well, and their passkeys, from who has lost them
 */
export async function linkForMember(
  owner: Pick<Pool, "query">,
  db: Db,
  input: { organisation: string; email: string; withoutSecondFactor?: boolean },
): Promise<{ address: string; expiresAt: Date }> {
  const member = await findMemberByAddress(owner, input);
  if (!member) {
    throw new DomainError(
      "not_found",
      `${input.organisation} has no member with the address ${input.email}.`,
    );
  }
  const ctx = systemCtx(db, member.tenantId, "Operator");
  const { token, expiresAt } = await inTenant(ctx, async (tx) => {
    if (input.withoutSecondFactor) {
      await dropSecondFactor(ctx, tx, member.userId);
      await dropPasskeys(ctx, tx, member.userId);
    }
    return makePasswordLink(ctx, tx, member.userId);
  });
  return { address: passwordAddress(token), expiresAt };
}

/** Ends the token of the set-up page; the next one that is asked for is another. */
export function forgetSetUpToken(owner: Pick<Pool, "query">): Promise<void> {
  return deleteSetUpToken(owner);
}
