import type { Actor, Ctx } from "../kernel/ctx.ts";
import { selectKeyCreator } from "./queries.ts";

/**
 * The person behind an actor: of an API key whoever made it. null: nobody in particular, e.g. the system, or a key that
 * the system made.
 */
export async function findPerson(
  ctx: Pick<Ctx, "db" | "tenantId">,
  actor: { type: string; id: string | null } | Actor,
): Promise<string | null> {
  if (actor.id === null) return null;
  if (actor.type === "user") return actor.id;
  return actor.type === "apiKey" ? selectKeyCreator(ctx, actor.id) : null;
}
