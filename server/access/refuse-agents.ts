import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";

/** Throws `permission_denied` for an agent, whatever its key's role: what agents do is approved, never the other way round. */
export function refuseAgents({ actor }: Pick<Ctx, "actor">): void {
  if (actor.type === "apiKey" && actor.agent) {
    throw new DomainError("permission_denied", "Only people can approve, not agents.");
  }
}
