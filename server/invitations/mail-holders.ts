import { findHolders, findMembers } from "../access/find-holders.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Permission } from "../operations/permissions.ts";
import type { BuiltInTemplate } from "../templates/built-in-templates.ts";
import { sendLink } from "./send-link.ts";

/** How long a mail may be under way, ms. After that the same name no longer keeps it from being sent twice. */
const patience = 20 * 3_600_000;

/** A mail to each of those who hold a permission, with their name among its variables. */
interface HoldersMail {
  who: { permission: Permission; unitId: string | null; limit: number };
  template: BuiltInTemplate;
  variables: Record<string, string>;
  /** Names what is told, so that nobody is told it twice. */
  once: string;
  /** When it came about. */
  at: Date;
}

/**
 * Mails those who hold a permission; returns how many they are. Null: for some it failed for a passing reason, and it is worth trying
 * again, which is so for as long as its name keeps it from being sent twice. An organisation without e-mail of its own gets none.
 */
export async function mailHolders(
  ctx: Ctx,
  { who, template, variables, once, at }: HoldersMail,
  now: Date,
): Promise<number | null> {
  const people = await inTenant(ctx, async (tx) =>
    findMembers(tx, ctx.tenantId, await findHolders(tx, ctx.tenantId, who)),
  );
  let failing = false;
  for (const { id, name, email } of people) {
    const delivery = await sendLink(ctx, {
      template,
      email,
      unitId: null,
      variables: { name, ...variables },
      expiresAt: new Date(now.getTime() + patience),
      once: `${once} ${id}`,
    });
    failing ||= delivery.by === "nobody" && delivery.why === "failed";
  }
  return failing && now.getTime() - at.getTime() < patience ? null : people.length;
}
