import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { inTenant } from "../kernel/db.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { refusal } from "../testing/refusal.ts";
import { restClient } from "../testing/rest-client.ts";
import { addressToken } from "./address-token.ts";
import { buildChains } from "./build-chains.ts";
import { describeKey } from "./describe-key.ts";
import { chainKey } from "./chain.ts";
import { exportEvents } from "./export-events.ts";
import { getEvent, listChoices, listEvents } from "./list-events.ts";
import { recordAudit } from "./record-audit.ts";
import type { AuditEntry } from "./record-audit.ts";
import { auditListQuerySchema } from "./schemas.ts";
import type { ExportFormat } from "./schemas.ts";
import { verifyExport } from "./verify-export.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const stranger = await makeTenant(database);
const { alpha, beta } = tenant.units;
const { production, staging } = tenant.environments;
const auditor = tenant.as("auditor");
const rest = restClient(database.web);

const write = (ctx: Ctx, entry: Partial<AuditEntry> & { action: string }) =>
  inTenant(ctx, (tx) => recordAudit(ctx, tx, { targetType: "note", ...entry }));
const list = async (ctx: Ctx, query: Record<string, unknown> = {}) =>
  listEvents(ctx, auditListQuerySchema.parse(query));
const actions = async (ctx: Ctx, query: Record<string, unknown> = {}) =>
  (await list(ctx, query)).data.map(({ action }) => action);

async function exported(
  ctx: Ctx,
  format: ExportFormat,
  filter: Record<string, unknown> = {},
): Promise<string> {
  const { first, rest: pieces } = await exportEvents(ctx, {
    format,
    filter: auditListQuerySchema.omit({ limit: true, cursor: true }).parse(filter),
  });
  let text = first;
  for await (const piece of pieces) text += piece;
  return text;
}

async function chainAll(): Promise<void> {
  await expect
    .poll(
      async () => {
        await buildChains(database.worker);
        return (await list(auditor, { limit: 1 })).data[0]?.sequence;
      },
      { timeout: 20_000 },
    )
    .not.toBeNull();
}

const token = await addressToken(tenant.system, "Ada@Example.com");
await write(tenant.system, {
  action: "note.alpha",
  unitId: alpha,
  environmentId: production,
  targetId: "a-1",
});
await write(tenant.system, { action: "note.beta", unitId: beta, environmentId: staging });
await write(
  { ...tenant.system, actor: { type: "user", id: newId(), name: "Olga", email: "o@x" } },
  {
    action: "note.renamed",
    before: { name: "Old" },
    after: { name: "New" },
    data: { name: "Summer sale" },
  },
);
await write(tenant.system, { action: "message.tested", data: { address: token } });
await write(stranger.system, { action: "note.elsewhere" });

test("a page holds the newest events, each once, while others arrive", async () => {
  const many = await makeTenant(database);
  for (let index = 0; index < 7; index++) await write(many.system, { action: `n.${String(index)}` });
  const first = await list(many.as("auditor"), { limit: 3 });
  expect(first.data.map(({ action }) => action)).toEqual(["n.6", "n.5", "n.4"]);
  await write(many.system, { action: "n.late" });
  const second = await list(many.as("auditor"), { limit: 3, cursor: first.nextCursor });
  expect(second.data.map(({ action }) => action)).toEqual(["n.3", "n.2", "n.1"]);
});

test("filters by who, what, thing, place and time, together and alone", async () => {
  expect(await actions(auditor, { action: "note.alpha" })).toEqual(["note.alpha"]);
  expect(await actions(auditor, { targetId: "a-1" })).toEqual(["note.alpha"]);
  expect(await actions(auditor, { unitId: beta, targetType: "note" })).toEqual(["note.beta"]);
  expect(await actions(auditor, { environmentId: staging, targetType: "note" })).toEqual(["note.beta"]);
  expect(await actions(auditor, { actorType: "user" })).toEqual(["note.renamed"]);
  const [olga] = (await list(auditor, { action: "note.renamed" })).data;
  expect(await actions(auditor, { actorId: olga?.actorId })).toEqual(["note.renamed"]);
  expect(await actions(auditor, { actorId: olga?.actorId, action: "note.alpha" })).toEqual([]);
  expect(
    await actions(auditor, { from: olga?.at, to: new Date(Date.parse(olga!.at) + 1).toISOString() }),
  ).toContain("note.renamed");
  expect(await actions(auditor, { to: "2020-01-01T00:00:00Z" })).toEqual([]);
});

test("a search finds by name of thing and of who acted, by action in words, by ids, and by a whole address", async () => {
  const [olga] = (await list(auditor, { action: "note.renamed" })).data;
  for (const q of [
    "summer",
    "Summer sale",
    "olga",
    "note renamed",
    "note.renamed",
    olga!.id,
    olga!.requestId,
    olga!.actorId,
  ]) {
    expect(await actions(auditor, { q }), q!).toContain("note.renamed");
  }
  expect(await actions(auditor, { q: "ada@example.com" })).toEqual(["message.tested"]);
  expect(await actions(auditor, { q: "bob@example.com" })).toEqual([]);
  // Characters of patterns are only characters.
  expect(await actions(auditor, { q: "%" })).toEqual([]);
  expect(await actions(auditor, { q: "_ummer" })).toEqual([]);
});

test("the same address has the same token in one organisation, another one in another, and is stored nowhere", async () => {
  expect(await addressToken(tenant.system, " ada@EXAMPLE.com ")).toBe(token);
  expect(await addressToken(tenant.system, "+49 151 1234-5678")).toBe(
    await addressToken(tenant.system, "+4915112345678"),
  );
  expect(await addressToken(stranger.system, "ada@example.com")).not.toBe(token);
  const { rows } = await database.owner.query("SELECT FROM audit_events e WHERE e::text ILIKE '%ada@%'");
  expect(rows).toEqual([]);
});

test("who reads one unit's trail gets what belongs to that unit, in the list, in the choices and in exports", async () => {
  const reader = tenant.as("auditor", alpha);
  const { data } = await list(reader, { limit: 200 });
  expect(data.length).toBeGreaterThan(0);
  expect(new Set(data.map(({ unitId }) => unitId))).toEqual(new Set([alpha]));
  const [foreign] = (await list(auditor, { action: "note.beta" })).data;
  expect((await refusal(getEvent(reader, { id: foreign!.id }))).code).toBe("not_found");
  expect(await getEvent(auditor, { id: foreign!.id })).toEqual(foreign);
  expect(await actions(reader, { q: "note beta" })).toEqual([]);
  expect(await actions(reader, { unitId: beta })).toEqual([]);
  expect((await listChoices(reader)).actions).not.toContain("note.beta");
  expect(await exported(reader, "csv")).not.toContain("note.beta");
  expect(await exported(reader, "jsonl")).not.toContain("note.beta");
});

test("over REST a key reads what its place lets it, with the same filters", async () => {
  const { key } = await tenant.makeKey("production", { role: "auditor" });
  const all = await rest.call("GET", "/v1/audit-events?limit=200", { key });
  expect(all.status).toBe(200);
  const text = all.text;
  expect(text).toContain("note.alpha");
  expect(text).toContain("note.renamed");
  // Of another environment.
  expect(text).not.toContain("note.beta");
  const narrowed = await rest.call("GET", "/v1/audit-events?action=note.alpha", { key });
  expect((narrowed.body as { data: unknown[] }).data).toHaveLength(1);
  const sender = await tenant.makeKey("production", { role: "sender" });
  expect((await rest.call("GET", "/v1/audit-events", { key: sender.key })).status).toBe(403);
});

test("an export as JSON lines is the whole chain, and can be verified offline; with a filter each entry can", async () => {
  await chainAll();
  const { key } = await describeKey(database.worker, tenant.slug);
  const verification = { key: chainKey(Buffer.from(key!, "hex")) };
  const whole = await exported(auditor, "jsonl");
  const report = await verifyExport(whole.split("\n"), verification);
  expect(report.problem).toBeNull();
  expect(report.header).toMatchObject({ complete: true, tenantId: tenant.tenantId });
  expect(report.entries).toBe(report.header!.to.sequence);
  const part = await exported(auditor, "jsonl", { action: "note.renamed" });
  const partial = await verifyExport(part.split("\n"), verification);
  expect(partial).toMatchObject({ problem: null, entries: 1, header: { complete: false } });
  const forged = part.replace("Summer sale", "Winter sale");
  expect((await verifyExport(forged.split("\n"), verification)).problem).toMatchObject({ kind: "changed" });
});

test("an export as CSV holds every event, and no cell that a spreadsheet takes for a formula", async () => {
  const own = await makeTenant(database);
  const evil = {
    ...own.system,
    actor: { type: "user" as const, id: newId(), name: '=HYPERLINK("x")', email: "e@x" },
  };
  await write(evil, { action: "note.evil", targetId: "+1", data: { name: "@SUM(1)" } });
  const text = await exported(own.as("auditor"), "csv");
  const rows = parse<Record<string, string>>(text, { columns: true, bom: true });
  const { data } = await list(own.as("auditor"), { limit: 200 });
  // The export itself is in the trail, before its own first line is read.
  expect(rows).toHaveLength(data.length);
  expect(rows.at(-1)).toMatchObject({ action: "audit.exported" });
  expect(rows.at(-2)).toMatchObject({ actorName: `'=HYPERLINK("x")`, targetId: "'+1" });
  expect(text).not.toMatch(/(^|,)"?[=+@-]/m);
});

test("an export is read a page at a time, ends when nobody reads on, and only a few are under way at once", async () => {
  const own = await makeTenant(database);
  const reader = own.as("auditor");
  await database.owner.query(
    `INSERT INTO audit_events (tenant_id, id, at, actor_type, actor_name, action, target_type, request_id)
     SELECT $1, uuidv7_new(), now(), 'system', 'Many', 'note.many', 'note', 'x' FROM generate_series(1, 3500)`,
    [own.tenantId],
  );
  const begin = () => exportEvents(reader, { format: "csv", filter: {} });
  const one = await begin();
  const two = await begin();
  expect((await refusal(begin())).code).toBe("rate_limited");
  // Somebody else's are their own.
  const other = await exportEvents(auditor, { format: "csv", filter: {} });
  await other.rest.return(undefined);
  await one.rest.return(undefined);
  const three = await begin();
  const sizes: number[] = [];
  for await (const piece of three.rest) sizes.push(piece.split("\n").length - 1);
  expect(sizes.every((size) => size <= 1_000)).toBe(true);
  expect(sizes.length).toBeGreaterThanOrEqual(4);
  await two.rest.return(undefined);
});
