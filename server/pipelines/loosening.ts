import { defaultGates } from "../tenancy/schemas.ts";
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
  testSend: "a test send",
} as const satisfies Partial<Record<keyof Gates, string>>;

/**
 * In what a changed pipeline asks for less than before, in words; nothing when it is at least as strict. Less is: a gate
 * lowered, a stage taken out, a stage that something reaches without a stage that came before it, and a stage that is the
 * first now, where saves go live by themselves. A new stage is held against the gates that its kind begins with.
 */
export function looseningsOf(before: readonly StageOf[], after: readonly StageOf[]): string[] {
  const found: string[] = [];
  for (const [position, stage] of before.entries()) {
    const now = after.findIndex(({ environmentId }) => environmentId === stage.environmentId);
    const kept = after[now];
    if (!kept) {
      // The first stage gates nothing; what follows it is told below.
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
