import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";

interface AgentOfKeyRow {
  agentId: string;
  /** Null, as the rest: the agent is not there. */
  recipients: string[] | null;
  hourlyCap: number | null;
  laterStages: boolean | null;
}

/** The agent that a key belongs to; undefined: it is no agent's. */
export async function selectAgentOfKey(
  ctx: Pick<Ctx, "db" | "tenantId">,
  keyId: string,
): Promise<AgentOfKeyRow | undefined> {
  const rows = await queryInTenant<AgentOfKeyRow>(
    ctx,
    `SELECT k.agent_id, g.recipients, g.hourly_cap, g.later_stages
     FROM api_keys k LEFT JOIN agents g ON g.tenant_id = k.tenant_id AND g.id = k.agent_id
     WHERE k.tenant_id = $1 AND k.id = $2 AND k.agent_id IS NOT NULL`,
    [ctx.tenantId, keyId],
  );
  return rows[0];
}
