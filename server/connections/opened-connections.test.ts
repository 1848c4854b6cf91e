import { describe, expect, it, vi } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { forgetConnections, tenantConnections } from "./load-connection.ts";
import type { ProviderConnection } from "./load-connection.ts";
import { OpenedConnections, openedLimits } from "./opened-connections.ts";

const database = await testDatabase();
const at = new Date("2026-11-22T10:00:00Z");
const made = (id: string, tenantId = "t") => ({ id, tenantId }) as ProviderConnection;
const of = (id: string, more: Partial<{ tenantId: string; updatedAt: Date; enabled: boolean }> = {}) => ({
  id,
  tenantId: "t",
  updatedAt: at,
  enabled: true,
  ...more,
});

describe("credentials in the clear", () => {
  it("are held for a minute at most, whether they are used or not", async () => {
    expect(openedLimits.ttlMs).toBeLessThanOrEqual(60_000);
    const opened = new OpenedConnections({ max: 10, ttlMs: 100 });
    const first = opened.get(of("a"), () => made("a"));
    opened.get(of("b"), () => made("b"));
    const soon = { timeout: 20_000, interval: 10 };
    await vi.waitFor(() => expect(opened.get(of("a"), () => made("a"))).not.toBe(first), soon);
    await vi.waitFor(() => expect(opened.size).toBe(0), soon);
  });

  it("are held for a bounded number of connections, and only for enabled ones", () => {
    const opened = new OpenedConnections({ max: 3, ttlMs: 60_000 });
    for (const id of ["a", "b", "c", "d", "e"]) opened.get(of(id), () => made(id));
    expect(opened.size).toBe(3);
    opened.get(of("e", { enabled: false }), () => made("e"));
    opened.get(of("f", { enabled: false }), () => made("f"));
    expect(opened.size).toBe(2);
  });

  it("are decrypted again when the connection has changed, and never shared with another tenant", () => {
    const opened = new OpenedConnections();
    const first = opened.get(of("a"), () => made("a"));
    expect(opened.get(of("a", { updatedAt: new Date(at.getTime() + 1) }), () => made("a"))).not.toBe(first);
    const other = opened.get(of("a", { tenantId: "u" }), () => made("a", "u"));
    expect(other?.tenantId).toBe("u");
    opened.forget("t");
    expect(opened.size).toBe(1);
    opened.forget("u");
    expect(opened.size).toBe(0);
  });

  it("are wiped when the connection is changed here, and not held for one that is switched off", async () => {
    const world = await makeSendingWorld(database);
    const { id } = await world.addTwilio("http://127.0.0.1:9");
    const load = async () => (await tenantConnections(world.tenant.worker)).get(id);
    const first = await load();
    expect(await load()).toBe(first);
    forgetConnections(world.tenantId);
    const second = await load();
    expect(second).not.toBe(first);
    await database.owner.query("UPDATE provider_connections SET enabled = false WHERE id = $1", [id]);
    forgetConnections(world.tenantId);
    expect(await load()).toMatchObject({ enabled: false });
    expect(await load()).not.toBe(second);
  });
});
