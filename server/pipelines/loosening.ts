import { defaultGates } from "../tenancy/vocabulary.ts";
import type { EnvironmentKind, Gates } from "../tenancy/schemas.ts";

interface StageOf {
  environmentId: string;
  environment: string;
  kind: EnvironmentKind;
  gates: Gates;
}

const gateNames = {
  moderation: "moderation",
  whatsappApproval: "WhatsApp approval",
  whatsappCategory: "WhatsApp's category to fit",
  testSend: "a test send",
  humanReview: "a person's review of what AI wrote",
} as const satisfies Partial<Record<keyof Gates, string>>;

/**
 * What a changed pipeline requires less than before, in words; empty when it is at least as strict. Loosening is: a
 * lower gate, a removed stage, a stage that can be reached without a stage that came before it, and a new first stage,
 * where saves go live by themselves. A new stage is compared with the default gates of its kind.
 */
export function looseningsOf(before: readonly StageOf[], after: readonly StageOf[]): string[] {
  const found: string[] = [];
  for (const [position, stage] of before.entries()) {
    const now = after.findIndex(({ environmentId }) => environmentId === stage.environmentId);
    const kept = after[now];
    if (!kept) {
      // The first stage has no gates; its followers are handled below.
      if (position > 0) found.push(`${stage.environment} is taken out`);
      continue;
    }
    found.push(...lowered(stage.environment, stage.gates, kept.gates));
    if (position > 0 && now === 0)
      found.push(`${stage.environment} becomes the first stage, which nothing gates`);
    else {
      const skipped = before
        .slice(0, position)
        .filter((earlier) =>
          after.slice(now).some(({ environmentId }) => environmentId === earlier.environmentId),
        );
      for (const { environment } of skipped) found.push(`${stage.environment} comes before ${environment}`);
    }
  }
  for (const [position, stage] of after.entries()) {
    if (before.some(({ environmentId }) => environmentId === stage.environmentId)) continue;
    if (position > 0) found.push(...lowered(stage.environment, defaultGates(stage.kind), stage.gates));
    else if (stage.kind === "production" && before.length > 0)
      found.push(`${stage.environment} becomes the first stage, which nothing gates`);
  }
  return found;
}

function lowered(environment: string, from: Gates, to: Gates): string[] {
  const names = Object.keys(gateNames) as (keyof typeof gateNames)[];
  return [
    ...(to.approvals < from.approvals
      ? [`${environment} asks for ${String(to.approvals)} instead of ${String(from.approvals)} approvals`]
      : []),
    ...names
      .filter((gate) => from[gate] && !to[gate])
      .map((gate) => `${environment} no longer asks for ${gateNames[gate]}`),
  ];
}
