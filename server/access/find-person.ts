import type { Actor, Ctx } from "../kernel/ctx.ts";
import { selectKeyOwner } from "./queries.ts";

type Someone = { type: string; id: string | null } | Actor;

/** The person behind an actor: for an API key, its owner. null for the system and keys that it created. */
export async function findOwner(ctx: Pick<Ctx, "db" | "tenantId">, actor: Someone): Promise<string | null> {
  if (actor.id === null) return null;
  if (actor.type === "user") return actor.id;
  return actor.type === "apiKey" ? (await selectKeyOwner(ctx, actor.id)).ownerId : null;
}

/**
 * Whose a key is that an actor makes, and who else may have its text: with a key, whoever has the text of that one. What a key makes
 * counts for nobody for whom the key itself does not.
 */
export async function findMakers(
  ctx: Pick<Ctx, "db" | "tenantId">,
  actor: Someone,
): Promise<{ creatorId: string | null; madeById: string | null }> {
  if (actor.type !== "apiKey" || actor.id === null) {
    return { creatorId: await findOwner(ctx, actor), madeById: null };
  }
  const { ownerId, madeById } = await selectKeyOwner(ctx, actor.id);
  return { creatorId: ownerId, madeById };
}

/**
 * The one person who can be behind an actor, where two people have to agree: null as well for a key that was handed over, or
 * made with such a key, unless who else may have its text was removed, because it may be either of the two.
 */
export async function findPerson(ctx: Pick<Ctx, "db" | "tenantId">, actor: Someone): Promise<string | null> {
  if (actor.type !== "apiKey" || actor.id === null) return findOwner(ctx, actor);
  const { ownerId, shared } = await selectKeyOwner(ctx, actor.id);
  return shared ? null : ownerId;
}
