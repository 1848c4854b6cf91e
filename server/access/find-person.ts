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
 * The one person who can be behind an actor, where two people have to agree: null as well for a key that was handed over while
 * who made it is still there, because it may be either of the two.
 */
export async function findPerson(ctx: Pick<Ctx, "db" | "tenantId">, actor: Someone): Promise<string | null> {
  if (actor.type !== "apiKey" || actor.id === null) return findOwner(ctx, actor);
  const { ownerId, shared } = await selectKeyOwner(ctx, actor.id);
  return shared ? null : ownerId;
}
