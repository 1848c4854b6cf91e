import type { Actor, Ctx } from "../kernel/ctx.ts";
import { agentLimits } from "./agent-limits.ts";
import { selectAgentOfKey } from "./agent-queries.ts";
import { currentGrants } from "./current-grants.ts";

/** Who asked for work that goes on after their request, as its row keeps them. */
interface Asker {
  actorType: Actor["type"];
  actorId: string | null;
  actorName: string;
}

/**
 * The ctx of work that goes on in somebody's name after their request: with what they may do now, and for an agent's key with the
 * agent's limits, as in a request.
 */
export async function actingFor(system: Ctx, asker: Asker): Promise<Ctx> {
  const actor = await actorOf(system, asker);
  return { ...system, actor, grants: await currentGrants(system, actor) };
}

async function actorOf(
  system: Ctx,
  { actorType: type, actorId: id, actorName: name }: Asker,
): Promise<Actor> {
  if (type === "system") return { type, id: null, name };
  if (id === null) throw new Error("work of a person or a key names none");
  if (type === "user") return { type, id, name, email: "" };
  const row = await selectAgentOfKey(system, id);
  if (!row) return { type, id, name };
  // Every limit of an agent that is not known allows nothing.
  const agent = agentLimits({
    id: row.agentId,
    recipients: row.recipients ?? [],
    hourlyCap: row.hourlyCap ?? 0,
    laterStages: row.laterStages ?? false,
  });
  return { type, id, name, agent };
}
