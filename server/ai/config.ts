import { env } from "../kernel/env.ts";

/** The AI service that the operator has named. */
export interface AiConfig {
  /** Without a slash at its end, e.g. "https://api.openai.com/v1". */
  baseUrl: string;
  /** Whether the operator chose the address: then it may be anywhere, also on this machine and by plain http. */
  ownAddress: boolean;
  apiKey: string | null;
  model: string;
  /** null: its moderation endpoint is not asked. */
  moderationModel: string | null;
  /** Where it processes what it is sent; null: where the tenant's data is, whichever region that is. */
  region: string | null;
  /** Per million tokens. */
  price: { input: number; output: number; currency: string } | null;
}

const openAiUrl = "https://api.openai.com/v1";
/** OpenAI's own hosts and where they process (platform.openai.com/docs/guides/your-data, data residency). */
const openAiRegions: Record<string, string> = { "api.openai.com": "US", "eu.api.openai.com": "EU" };

/** What the environment says of the service; null unless it names a model and an address or a key. */
export function readAiConfig(ai: ReturnType<typeof env>["ai"]): AiConfig | null {
  if (ai.model === undefined || (ai.apiKey === undefined && ai.baseUrl === undefined)) return null;
  const baseUrl = ai.baseUrl ?? openAiUrl;
  const itsOwnRegion = openAiRegions[new URL(baseUrl).hostname];
  return {
    baseUrl,
    ownAddress: itsOwnRegion === undefined,
    apiKey: ai.apiKey ?? null,
    model: ai.model,
    // Other services have no such endpoint, unless the operator says what it is called there.
    moderationModel: ai.moderationModel ?? (itsOwnRegion === undefined ? null : "omni-moderation-latest"),
    region: ai.region ?? itsOwnRegion ?? null,
    price: ai.price ?? null,
  };
}

let replaced: AiConfig | null | undefined;

export function aiConfig(): AiConfig | null {
  return replaced === undefined ? readAiConfig(env().ai) : replaced;
}

/** Names another service than the environment does, or none; undefined: the environment's again (tests). */
export function replaceAiConfig(config: AiConfig | null | undefined): void {
  replaced = config;
}
