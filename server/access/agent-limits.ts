import type { AgentLimits } from "../kernel/ctx.ts";

/**
 * The limits of an agent, with its list of recipients ready to be asked: once for each look-up of the key, so that a request
 * costs one look into a set for an address or its domain, and one comparison for each beginning of a number.
 * @param recipients as agentSchema leaves them
 */
export function agentLimits(agent: {
  id: string;
  recipients: readonly string[];
  hourlyCap: number;
  laterStages: boolean;
}): AgentLimits {
  const { id, recipients, hourlyCap, laterStages } = agent;
  const exact = new Set(recipients.filter((entry) => !entry.includes("*")));
  const domains = new Set(
    recipients.filter((entry) => entry.startsWith("*@")).map((entry) => entry.slice(1)),
  );
  const beginnings = recipients.filter((entry) => entry.endsWith("*")).map((entry) => entry.slice(0, -1));
  return {
    id,
    hourlyCap,
    laterStages,
    allows: (address) => {
      const at = address.lastIndexOf("@");
      return (
        exact.has(address) ||
        (at === -1
          ? beginnings.some((beginning) => address.startsWith(beginning))
          : domains.has(address.slice(at)))
      );
    },
  };
}
