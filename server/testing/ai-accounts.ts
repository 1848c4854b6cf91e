import { beforeEach } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import type { TestDatabase } from "./database.ts";

/** One line of ai_usage. */
export interface StoredUsage {
  purpose: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  estimated: boolean;
  cost: string | null;
  currency: string | null;
  template_id: string | null;
  actor_name: string;
}

/** A tenant's AI usage and settings; both are reset before each test. */
export function aiAccounts(database: TestDatabase, tenantId: string) {
  const saveSettings = async (settings: Record<string, unknown>): Promise<void> => {
    await database.owner.query("UPDATE tenants SET settings = $2 WHERE id = $1", [tenantId, settings]);
    forgetCatalogue(tenantId);
  };
  beforeEach(async () => {
    await saveSettings({});
    await database.owner.query("DELETE FROM ai_usage");
  });
  return {
    /** Replaces all settings of the tenant. */
    saveSettings,
    /** Usage recorded in this test, oldest first. */
    usage: async (): Promise<StoredUsage[]> => {
      const { rows } = await database.owner.query<StoredUsage>(
        `SELECT purpose, model, input_tokens, output_tokens, estimated, cost::text, currency, template_id, actor_name
         FROM ai_usage WHERE tenant_id = $1 ORDER BY id`,
        [tenantId],
      );
      return rows;
    },
  };
}

/** The ctx with a log whose lines are kept in the array beside it. */
export function listening(ctx: Ctx): { ctx: Ctx; lines: string[] } {
  const lines: string[] = [];
  const keep = (...line: unknown[]): void => void lines.push(JSON.stringify(line));
  const log = Object.assign(Object.create(ctx.log) as Ctx["log"], { info: keep, warn: keep, error: keep });
  return { ctx: { ...ctx, log }, lines };
}
