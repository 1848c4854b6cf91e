import type { Actor, Ctx } from "../kernel/ctx.ts";
import { selectKeyCreator } from "./queries.ts";

/** The person behind an actor: for an API key, whoever created it. null for the system and keys that it created. */
export async function findPerson(
  ctx: Pick<Ctx, "db" | "tenantId">,
  actor: { type: string; id: string | null } | Actor,
): Promise<string | null> {
  if (actor.id === null) return null;
  if (actor.type === "user") return actor.id;
  return actor.type === "apiKey" ? selectKeyCreator(ctx, actor.id) : null;
}
