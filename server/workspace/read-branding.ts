import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { selectBranding } from "./branding-queries.ts";
import type { Branding } from "./vocabulary.ts";

const cache = ttlCache<Branding>({ name: "branding", ttlMs: 5_000, max: 2_000 });

const none: Branding = { accent: null, senderName: null, support: null, logo: null };

/**
 * How an organisation looks; at most five seconds old. For whatever shows it to its people, who may be anybody: asks for no
 * permission. Do not change what it returns.
 */
export async function readBranding(ctx: Pick<Ctx, "db" | "tenantId">): Promise<Branding> {
  return (await cache.get(ctx.tenantId, () => selectBranding(ctx))) ?? none;
}

/** After a change: this process sees it at once. */
export function forgetBranding(tenantId: string): void {
  cache.forget(tenantId);
}
