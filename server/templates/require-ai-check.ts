import { seenByAi } from "../content-checks/schemas.ts";
import type { ModerationResult } from "../content-checks/schemas.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/**
 * Throws `conflict` when a version that no AI service has seen would go live directly in production, because that is
 * the first stage: the first stage then applies what the gates of later stages would. The tenant may allow it.
 */
export function requireAiCheck(
  catalogue: Pick<Catalogue, "tenant" | "environments">,
  environmentIds: readonly string[],
  moderation: Partial<ModerationResult>,
): void {
  if (seenByAi(moderation.checkedBy ?? []) || catalogue.tenant.settings.ai.allowWithoutAi) return;
  const production = catalogue.environments.find(
    ({ id, kind }) => kind === "production" && environmentIds.includes(id),
  );
  if (!production) return;
  throw new DomainError(
    "conflict",
    `What is saved goes live in ${production.slug} at once, and production takes no version without the AI check. Save with the AI service, put another stage before ${production.slug}, or allow it in the settings of the organisation.`,
  );
}
