import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { plantMessages } from "../testing/planted-messages.ts";
import { restClient } from "../testing/rest-client.ts";
import { runExport } from "./run-export.ts";
import type { ExportView } from "./schemas.ts";

const database = await testDatabase();
const rest = restClient(database.web);

test("a key asks for a file of its environment, follows it, downloads it and deletes it; another key knows of none", async () => {
  const tenant = await makeTenant(database);
  const { tenantId, environments, units, application } = tenant;
  await plantMessages(
    database.owner,
    {
      tenantId,
      environmentId: environments.production,
      applicationId: application.id,
      unitId: units.alpha,
    },
    2_100,
  );
  const { key } = await tenant.makeKey("production", { role: "sender" });
  const { key: other } = await tenant.makeKey("production", { role: "sender" });
  const { key: staging } = await tenant.makeKey("staging", { role: "sender" });
  const make = async (by: string, json: unknown) => {
    const answer = await rest.post("/v1/exports", { key: by, json });
    expect(answer.status).toBe(202);
    return answer.body as ExportView;
  };
  const { id, state } = await make(key, { kind: "messages", filter: { statuses: ["delivered"] } });
  expect(state).toBe("waiting");
  expect((await rest.get(`/v1/exports/${id}/file`, { key })).status).toBe(409);
  await runExport({ db: database.worker }, { tenantId, exportId: id });
  const { body } = await rest.get(`/v1/exports/${id}`, { key });
  expect(body).toMatchObject({ state: "finished", rows: 1_890, share: 1 });
  const file = await rest.get(`/v1/exports/${id}/file`, { key });
  expect(file.status).toBe(200);
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="messages-[\d-]+\.csv"$/);
  expect(file.headers.get("content-length")).toBe(String((body as ExportView).bytes + headOf(file.text)));
  const rows = parse<Record<string, string>>(file.text, { bom: true, columns: true });
  expect(rows).toHaveLength(1_890);
  // A sender reads no costs.
  expect(Object.keys(rows[0] ?? {})).not.toContain("costAmount");

  for (const path of [`/v1/exports/${id}`, `/v1/exports/${id}/file`]) {
    expect((await rest.get(path, { key: other })).status).toBe(404);
  }
  expect((await rest.get("/v1/exports", { key: other })).body).toMatchObject({ data: [] });
  expect((await rest.get("/v1/exports", { key })).body).toMatchObject({ data: [{ id }] });
  expect((await rest.post("/v1/exports", { key, json: { kind: "costs" } })).status).toBe(403);
  expect(
    (await rest.post("/v1/exports", { key, json: { kind: "messages", filter: { colour: "red" } } })).status,
  ).toBe(422);

  const elsewhere = await make(staging, { kind: "messages" });
  await runExport({ db: database.worker }, { tenantId, exportId: elsewhere.id });
  expect((await rest.get(`/v1/exports/${elsewhere.id}`, { key: staging })).body).toMatchObject({ rows: 0 });

  expect((await rest.delete(`/v1/exports/${id}`, { key })).status).toBe(204);
  expect((await rest.get(`/v1/exports/${id}`, { key })).status).toBe(404);
});

/** Bytes before the first row; reading it as text takes the byte order mark away. */
const headOf = (text: string) => 3 + Buffer.byteLength(text.slice(0, text.indexOf("\n") + 1));
