import { afterAll, beforeEach } from "vitest";
import { replaceAiConfig } from "../ai/config.ts";
import type { AiConfig } from "../ai/config.ts";
import type { AiSettings } from "../ai/schemas.ts";
import { inTenant } from "../kernel/db.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import type { TestTenant } from "./factories.ts";
import { startFakeAi } from "./fake-ai.ts";

/**
 * The fake AI service, configured for every test of the calling file and reset between tests. Call it once, at the top
 * level.
 */
export async function makeAiWorld(changes: Partial<AiConfig> = {}) {
  const fake = await startFakeAi();
  const config: AiConfig = {
    baseUrl: fake.baseUrl,
    ownAddress: true,
    apiKey: null,
    model: "test-model",
    moderationModel: "test-moderation",
    region: null,
    price: null,
    ...changes,
  };
  beforeEach(() => {
    fake.reset();
    replaceAiConfig(config);
  });
  afterAll(async () => {
    replaceAiConfig(undefined);
    await fake.close();
  });
  return {
    fake,
    config,
    /** Writes the tenant's settings for AI; all others are left out. */
    saveAiSettings: async (tenant: TestTenant, ai: Partial<AiSettings>): Promise<void> => {
      await inTenant(tenant.worker, (tx) =>
        tx.tenant.update({ where: { id: tenant.tenantId }, data: { settings: { ai } } }),
      );
      forgetCatalogue(tenant.tenantId);
    },
  };
}
