import { env } from "../kernel/env.ts";

/** The AI service that the operator has configured. */
export interface AiConfig {
  /** Without a trailing slash, e.g. "https://api.openai.com/v1". */
  baseUrl: string;
  /** Whether the operator chose the address: then it may be anywhere, including this machine, and plain http. */
  ownAddress: boolean;
  apiKey: string | null;
  model: string;
  /** null: the moderation endpoint is not called. */
  moderationModel: string | null;
  /** Where it processes data; null: in the tenant's own region, whichever that is. */
  region: string | null;
  /** Per million tokens. */
  price: { input: number; output: number; currency: string } | null;
}

const openAiUrl = "https://api.openai.com/v1";
/** OpenAI's own hosts and where they process (platform.openai.com/docs/guides/your-data, data residency). */
const openAiRegions: Record<string, string> = { "api.openai.com": "US", "eu.api.openai.com": "EU" };

/** The service named in the environment; null unless it has a model and an address or a key. */
export function readAiConfig(ai: ReturnType<typeof env>["ai"]): AiConfig | null {
  if (ai.model === undefined || (ai.apiKey === undefined && ai.baseUrl === undefined)) return null;
  const baseUrl = ai.baseUrl ?? openAiUrl;
  const itsOwnRegion = openAiRegions[new URL(baseUrl).hostname];
  return {
    baseUrl,
    ownAddress: itsOwnRegion === undefined,
    apiKey: ai.apiKey ?? null,
    model: ai.model,
    // Other services have no such endpoint, unless the operator names its model.
    moderationModel: ai.moderationModel ?? (itsOwnRegion === undefined ? null : "omni-moderation-latest"),
    region: ai.region ?? itsOwnRegion ?? null,
    price: ai.price ?? null,
  };
}

let replaced: AiConfig | null | undefined;

export function aiConfig(): AiConfig | null {
  return replaced === undefined ? readAiConfig(env().ai) : replaced;
}

/** Replaces the environment's service by another one or none; undefined: back to the environment's (for tests). */
export function replaceAiConfig(config: AiConfig | null | undefined): void {
  replaced = config;
}
