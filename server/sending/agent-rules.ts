import type { AgentLimits, Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { MessageReason } from "./notification-change.ts";

/*
 * What holds for the requests of agents alone. An agent does what it reads, and much of what it reads others have written: these
 * limits are the service's, whatever the agent was told.
 */

/** How long a request waits for a person, at most, ms. */
const patience = 72 * 3_600_000;

/** A request that a person has to approve. */
export interface Hold {
  /** How long its messages live from the approval on, ms; null: until the time that the request names. */
  timeToLive: number | null;
  /** When nobody has decided by then, its messages expire. */
  expiresAt: Date;
}

/** The limits of an actor that is an agent. */
export function agentOf({ actor }: Pick<Ctx, "actor">): AgentLimits | undefined {
  return actor.type === "apiKey" ? actor.agent : undefined;
}

/** Throws `agent_limit` for an environment that the agent may not send in. */
export function refuseLaterStage(
  agent: AgentLimits,
  environment: { id: string; kind: string },
  application: { stages: readonly string[] },
): void {
  if (environment.kind === "sandbox" || agent.laterStages || application.stages[0] === environment.id) return;
  throw new DomainError(
    "agent_limit",
    "This agent may send in the sandbox and in the first stage of the application's pipeline.",
  );
}

export const notAllowedRecipient: MessageReason = {
  code: "recipient_not_allowed",
  detail: "The address is not on the list of those that this agent may write to.",
};

/** Throws `agent_limit` when the agent may write to none of the recipients. */
export function refuseStrangersOnly(messages: readonly { reason: MessageReason | null }[]): void {
  const addressed = messages.filter(({ reason }) => reason?.code !== "invalid_recipient");
  if (addressed.length === 0 || addressed.some(({ reason }) => reason !== notAllowedRecipient)) return;
  throw new DomainError(
    "agent_limit",
    "None of the recipients is on the list of those that this agent may write to.",
    {
      errors: [
        { pointer: "/recipients", code: notAllowedRecipient.code, detail: notAllowedRecipient.detail },
      ],
    },
  );
}

/** In production a person approves what an agent sends; nowhere else. */
export function holdOf(
  now: Date,
  environment: { kind: string },
  order: { expiresAt?: string | undefined },
  plan: { expiresAt: Date; timeToLive: number },
): Hold | null {
  if (environment.kind !== "production") return null;
  const latest = new Date(now.getTime() + patience);
  if (order.expiresAt === undefined) return { timeToLive: plan.timeToLive, expiresAt: latest };
  return { timeToLive: null, expiresAt: plan.expiresAt < latest ? plan.expiresAt : latest };
}
