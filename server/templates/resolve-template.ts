import { LRUCache } from "lru-cache";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { storedVersion } from "../rendering/render-pool.ts";
import type { StoredVersion } from "../rendering/render-pool.ts";
import { builtInContent } from "./built-in-templates.ts";
import { findLiveByName, findLiveByType, findVersionContent } from "./queries.ts";
import type { LiveTemplate } from "./queries.ts";
import { senderNamed } from "./sender-named.ts";

export { chooseTemplate } from "./choose-template.ts";
export type { TemplateChoice } from "./choose-template.ts";
export type { LiveTemplate } from "./queries.ts";

// A deployment takes effect within a second in every process. That nothing is live is never cached: whoever has just
// saved a first template can send with it at once.
const byType = ttlCache<LiveTemplate[]>({
  name: "templates by type",
  ttlMs: 1_000,
  max: 20_000,
  ahead: true,
});
const byName = ttlCache<LiveTemplate[]>({
  name: "templates by name",
  ttlMs: 1_000,
  max: 20_000,
  ahead: true,
});

const filled = (templates: LiveTemplate[]) => (templates.length > 0 ? templates : undefined);

/** All live templates of a type and subtype in an environment, including switched-off ones. */
export async function liveTemplates(
  ctx: Pick<Ctx, "db" | "tenantId">,
  input: {
    environmentId: string;
    applicationId: string;
    notificationType: string;
    notificationSubtype: string;
  },
): Promise<LiveTemplate[]> {
  const key = JSON.stringify([
    ctx.tenantId,
    input.environmentId,
    input.applicationId,
    input.notificationType,
    input.notificationSubtype,
  ]);
  return (await byType.get(key, async () => filled(await findLiveByType(ctx, input)))) ?? [];
}

/** All live templates of a name in an environment; they share one type and subtype. */
export async function liveTemplatesByName(
  ctx: Pick<Ctx, "db" | "tenantId">,
  input: { environmentId: string; applicationId: string; name: string },
): Promise<LiveTemplate[]> {
  const key = JSON.stringify([ctx.tenantId, input.environmentId, input.applicationId, input.name]);
  return (await byName.get(key, async () => filled(await findLiveByName(ctx, input)))) ?? [];
}

/**
 * Clears the cache of live templates, so that this process sees its own deployment at once; call it after the commit.
 */
export function forgetLiveTemplates(): void {
  byType.forget();
  byName.forget();
}

/** The sender that a version names; undefined: the connection's own. */
export async function namedSender(
  ctx: Pick<Ctx, "db" | "tenantId">,
  templateId: string,
  version: number,
): Promise<string | undefined> {
  const stored = await getStoredVersion(ctx, templateId, version);
  return stored && senderNamed(stored.content);
}

const versions = new LRUCache<string, StoredVersion>({
  maxSize: 48 * 1024 * 1024,
  sizeCalculation: ({ size }) => size,
});
const loadingVersions = new Map<string, Promise<StoredVersion | undefined>>();

/**
 * A version ready to render; undefined when it does not exist. Versions never change, so they are cached while there is
 * room.
 */
export async function getStoredVersion(
  ctx: Pick<Ctx, "db" | "tenantId">,
  templateId: string,
  version: number,
): Promise<StoredVersion | undefined> {
  const key = `${ctx.tenantId} ${templateId} ${String(version)}`;
  const known = versions.get(key);
  if (known) return known;
  let loading = loadingVersions.get(key);
  if (!loading) {
    const builtIn = builtInContent(templateId);
    loading = (
      builtIn
        ? Promise.resolve({ content: builtIn, language: null })
        : findVersionContent(ctx, templateId, version)
    )
      .then((found) => {
        const stored = found && storedVersion(ctx.tenantId, key, found.content, found.language);
        if (stored) versions.set(key, stored);
        return stored;
      })
      .finally(() => loadingVersions.delete(key));
    loadingVersions.set(key, loading);
  }
  return loading;
}
