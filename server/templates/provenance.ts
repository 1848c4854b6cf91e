import { findOwner } from "../access/find-person.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { StoredProvenance } from "./queries.ts";
import type { ProvenanceKind, TemplateCreate } from "./schemas.ts";

/** Who wrote a version that is being saved. */
export interface Provenance {
  kind: ProvenanceKind;
  model: string | null;
}

/**
 * Who wrote what is saved: what the caller says, but nothing that an agent saves is a person's, and what is made from a
 * version of AI that nobody has reviewed is not a person's either. @param before the version that it follows or copies
 */
export function provenanceOf(
  ctx: Ctx,
  said: TemplateCreate["provenance"],
  before: StoredProvenance | undefined,
): Provenance {
  if (said && said.kind !== "human") return { kind: said.kind, model: said.model ?? null };
  const byAgent = ctx.actor.type === "apiKey" && ctx.actor.agent !== undefined;
  if (byAgent) return { kind: "ai_drafted", model: said?.model ?? null };
  if (before && before.provenance.kind !== "human" && before.review === null) {
    return { kind: "ai_edited", model: before.provenance.model };
  }
  return { kind: "human", model: null };
}

/** Whether the actor has saved a version, by themselves or with a key that is theirs. @param authorId the member or the key; null: the system */
export async function hasSaved(ctx: Ctx, authorId: string | null): Promise<boolean> {
  if (authorId === null || ctx.actor.id === null) return false;
  return (
    authorId === ctx.actor.id || (await findOwner(ctx, { type: "apiKey", id: authorId })) === ctx.actor.id
  );
}
