import { systemCtx } from "../access/system-ctx.ts";
import { tenantHealth } from "../connections/connection-state.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import { ttlCache } from "../kernel/cache.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Db } from "../kernel/db.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { readBranding } from "../workspace/read-branding.ts";
import { daysFrom, startOf } from "./get-objectives.ts";
import {
  selectAlerts,
  selectAnswerDays,
  selectCodeDays,
  selectIncidents,
  selectPublished,
  selectSettings,
  selectSince,
  selectStatusPage,
} from "./queries.ts";
import { objectiveLimits } from "./schemas.ts";
import type { IncidentView, ObjectiveDay } from "./schemas.ts";

export type ComponentState = "operational" | "degraded" | "out";
export interface StatusComponent {
  part: "requests" | "codes" | Channel;
  state: ComponentState;
  /** Of parts that are measured; `share` null: nothing was, or the organisation shows no figures. */
  days: { day: string; state: ComponentState | "nothing"; share: number | null }[] | null;
}
export interface PublicStatus {
  organisation: string;
  logo: string | null;
  components: StatusComponent[];
  incidents: IncidentView[];
  at: string;
}

const pages = ttlCache<PublicStatus>({
  name: "status-pages",
  ttlMs: 10_000,
  max: 1_000,
  weight: { max: 32 * 1024 * 1024, of: weightOf },
});
const addresses = ttlCache<Map<string, string>>({ name: "status-addresses", ttlMs: 10_000, max: 1 });
const channels: readonly Channel[] = ["sms", "email", "whatsapp"];

/**
 * What everybody may see of an organisation's sending, read at most every ten seconds however many ask; undefined: there is no such page.
 * All addresses are read at once, so that those that there are not cost nothing.
 */
export async function readPublicStatus(db: Db, slug: string): Promise<PublicStatus | undefined> {
  const known = await addresses.get(
    "all",
    async () => new Map((await selectPublished(db)).map((page) => [page.slug, page.tenantId])),
  );
  const tenantId = known?.get(slug);
  return tenantId === undefined ? undefined : pages.get(slug, () => read(db, tenantId, slug));
}

async function read(db: Db, tenantId: string, slug: string): Promise<PublicStatus | undefined> {
  const ctx = systemCtx(db, tenantId, "Status page");
  const now = ctx.now();
  const from = startOf(now, objectiveLimits.statusDays);
  const [page, catalogue, branding, settings, since] = await Promise.all([
    selectStatusPage(ctx),
    getCatalogue(ctx),
    readBranding(ctx),
    selectSettings(ctx),
    selectSince(db),
  ]);
  // Hidden meanwhile, or at another address.
  if (!page?.published || page.slug !== slug) return undefined;
  const [answers, codes, alerts, incidents, connections, health] = await Promise.all([
    selectAnswerDays(ctx, since && since > from ? since : from),
    selectCodeDays(ctx, from, settings.codesSeconds),
    selectAlerts(ctx, objectiveLimits.alerts),
    selectIncidents(ctx, {
      since: from,
      limit: objectiveLimits.incidents,
      updates: objectiveLimits.publicUpdates,
    }),
    tenantConnections(ctx),
    tenantHealth(ctx),
  ]);
  const burning = new Set(alerts.filter(({ endedAt }) => endedAt === null).map(({ objective }) => objective));
  const daysOf = (days: ObjectiveDay[], target: number): StatusComponent["days"] => {
    // Without one request nobody missed anything, however long no process was there.
    const isUsed = days.some(({ good, missed }) => good + missed > 0);
    return days.map(({ day, share }) => ({
      day,
      state: !isUsed || share === null ? "nothing" : stateOf(share, target),
      share: page.figures && isUsed ? share : null,
    }));
  };
  const components: StatusComponent[] = [
    {
      part: "requests",
      state: burning.has("availability") ? "degraded" : "operational",
      days: daysOf(daysFrom(from, now, answers), settings.availabilityTarget),
    },
  ];
  if (codes.length > 0) {
    components.push({
      part: "codes",
      state: burning.has("codes") ? "degraded" : "operational",
      days: daysOf(daysFrom(from, now, codes), settings.codesTarget),
    });
  }
  for (const channel of channels) {
    // The sandbox's own provider sends nothing to anybody.
    const of = [...connections.values()].filter(
      (each) => each.enabled && each.adapter.name !== "simulator" && each.channels.includes(channel),
    );
    if (of.length === 0) continue;
    const open = of.filter(({ id }) => health.get(id)?.breaker === "open").length;
    const troubled = of.some(({ id }) => {
      const known = health.get(id);
      return known !== undefined && (known.breaker !== "closed" || known.slow);
    });
    components.push({
      part: channel,
      state: open === of.length ? "out" : troubled ? "degraded" : "operational",
      days: null,
    });
  }
  return {
    organisation: catalogue.tenant.name,
    logo: branding.logo?.path ?? null,
    components,
    incidents: incidents.map((row) => ({
      ...row,
      beganAt: row.beganAt.toISOString(),
      resolvedAt: row.resolvedAt?.toISOString() ?? null,
    })),
    at: now.toISOString(),
  };
}

/** Characters, roughly. */
function weightOf({ incidents }: PublicStatus): number {
  const texts = incidents.flatMap(({ title, updates }) => [title, ...updates.map(({ text }) => text)]);
  return texts.reduce((sum, text) => sum + text.length, 10_000);
}

/** A day whose errors are ten times what its part of the budget allows was one without service for many. */
function stateOf(share: number, target: number): ComponentState {
  const used = (1 - share) / (1 - target / 100);
  return used > 10 ? "out" : used > 1 ? "degraded" : "operational";
}
