import { createHash, randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import { expect, test, vi } from "vitest";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { replaceMasterKeys } from "../kernel/secrets.ts";
import { pathTree, servePath } from "../rest/serve-path.ts";
import { segmentsOf } from "../rest/path-tree.ts";
import { forgetSuspended } from "../tenancy/suspension.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { pngOf } from "../testing/pictures.ts";
import { getBranding, removeLogo, setLogo, updateBranding } from "./branding.ts";
import { getMe } from "./get-workspace.ts";
import { loadPicture } from "./load-picture.ts";
import { picturePath } from "./picture-address.ts";
import { readBranding } from "./read-branding.ts";

const database = await testDatabase();
const tree = pathTree({ db: () => database.web }, []);
const ask = (path: string, method = "GET") =>
  servePath(tree, new Request(`http://x${path}`, { method }), segmentsOf(path));

let shades = 0;
/** A picture that nobody has used yet. */
const picture = () => pngOf(40, 30, { colour: [++shades % 256, Math.floor(shades / 256), 1] });
const base64 = (bytes: Buffer) => bytes.toString("base64");
const digestOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest();
/** Statements that the web's role makes meanwhile. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const connect = vi.spyOn(database.web.pool, "connect");
  const query = vi.spyOn(database.web.pool, "query");
  await work();
  const count = connect.mock.calls.length + query.mock.calls.length;
  connect.mockRestore();
  query.mockRestore();
  return count;
}

test("an organisation's branding is its own: what it chooses shows there at once and nowhere else", async () => {
  const [tenant, other] = [await makeTenant(database), await makeTenant(database)];
  const owner = tenant.as("owner");
  const chosen = { accent: "#0a7f5a", senderName: "The shop", support: "help@shop.example" };
  await updateBranding(owner, chosen);
  const { logo } = await setLogo(owner, { picture: base64(picture()) });
  expect(await getBranding(owner)).toEqual({ ...chosen, logo });
  expect(await readBranding(owner)).toEqual({ ...chosen, logo });
  expect(logo).toMatchObject({ kind: "png", width: 40, height: 30 });
  const none = { accent: null, senderName: null, support: null, logo: null };
  expect(await getBranding(other.as("owner"))).toEqual(none);
  expect(await readBranding(other.as("owner"))).toEqual(none);
  const me = { ...owner, actor: { type: "user" as const, id: newId(), name: "O", email: "o@o.example" } };
  expect((await getMe(me)).brand).toEqual({ logo: logo?.path, accent: "#0a7f5a", onAccent: "#ffffff" });

  const audited = await database.owner.query<{ action: string; data: { before: unknown; after: unknown } }>(
    "SELECT action, data FROM audit_events WHERE tenant_id = $1 AND action LIKE 'branding%' ORDER BY id",
    [tenant.tenantId],
  );
  expect(audited.rows).toMatchObject([
    { action: "branding.changed", data: { before: { accent: null }, after: chosen } },
    {
      action: "branding.logo_set",
      data: { before: { logo: null }, after: { logo: { kind: "png", width: 40 } } },
    },
  ]);
  // Which picture, not the picture.
  expect(JSON.stringify(audited.rows).length).toBeLessThan(1_000);
});

test("a change leaves what it does not name as it is: two people who change different things keep both", async () => {
  const owner = (await makeTenant(database)).as("owner");
  await updateBranding(owner, { accent: "#0a7f5a", support: "help@shop.example" });
  await updateBranding(owner, { senderName: "The shop" });
  expect(await updateBranding(owner, { accent: null })).toEqual({
    ...{ accent: null, senderName: "The shop", support: "help@shop.example", logo: null },
  });
});

test("whoever may not change settings of the whole organisation changes nothing, nor does a key of a test environment", async () => {
  const tenant = await makeTenant(database);
  for (const ctx of [tenant.as("developer"), tenant.as("owner", tenant.units.alpha)]) {
    await expect(getBranding(ctx)).rejects.toMatchObject({ code: "permission_denied" });
    await expect(setLogo(ctx, { picture: base64(picture()) })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(removeLogo(ctx)).rejects.toMatchObject({ code: "permission_denied" });
  }
});

test("the logo's address gives anybody the picture: of the kind that it is, to be kept for ever, never run", async () => {
  const tenant = await makeTenant(database);
  const bytes = picture();
  const { logo } = await setLogo(tenant.as("owner"), { picture: base64(bytes) });
  const answer = await ask(logo?.path ?? "");
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/png",
    "content-length": String(bytes.length),
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  });
  expect((await ask(logo?.path ?? "", "HEAD")).status).toBe(200);
  for (const method of ["POST", "PUT", "DELETE"])
    expect((await ask(logo?.path ?? "", method)).status).toBe(405);
});

test("a picture that was replaced or removed, another organisation's and a suspended one's are not there", async () => {
  const [tenant, other] = [await makeTenant(database), await makeTenant(database)];
  const owner = tenant.as("owner");
  const bytes = picture();
  const first = (await setLogo(owner, { picture: base64(bytes) })).logo?.path ?? "";
  expect((await ask(first)).status).toBe(200);
  // Its digest under another organisation, with an address that only we could have made.
  expect((await ask(picturePath(other.tenantId, digestOf(bytes)))).status).toBe(404);
  const second = (await setLogo(owner, { picture: base64(picture()) })).logo?.path ?? "";
  expect(second).not.toBe(first);
  expect((await ask(first)).status).toBe(404);
  expect((await ask(second)).status).toBe(200);

  const suspend = async (at: string) => {
    await database.owner.query(`UPDATE tenants SET suspended_at = ${at} WHERE id = $1`, [tenant.tenantId]);
    forgetSuspended();
  };
  await suspend("now()");
  expect((await ask(second)).status).toBe(404);
  await suspend("NULL");
  expect((await ask(second)).status).toBe(200);

  await removeLogo(owner);
  const gone = await ask(second);
  expect(gone.status).toBe(404);
  expect(gone.headers.get("cache-control")).toBe("no-store");
  // The same picture again is there at once.
  expect((await setLogo(owner, { picture: base64(bytes) })).logo?.path).toBe(first);
  expect((await ask(first)).status).toBe(200);
});

test("addresses that were made up cost no look into the database, known ones none once they were asked for", async () => {
  const tenant = await makeTenant(database);
  const { logo } = await setLogo(tenant.as("owner"), { picture: base64(picture()) });
  const path = logo?.path ?? "";
  await ask(path);
  expect(
    await statements(async () => {
      const answers = await Promise.all(Array.from({ length: 500 }, () => ask(path)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }),
  ).toBe(0);
  const name = path.split("/").at(-1) ?? "";
  const made = (index: number) => [
    `/api/app/brand/${tenant.tenantId}/${digestOf(Buffer.from(String(index))).toString("base64url")}${name.slice(43)}`,
    `/api/app/brand/${newId()}/${name}`,
    `/api/app/brand/${tenant.tenantId}/${name.slice(0, -1)}${name.endsWith("A") ? "B" : "A"}`,
    `/api/app/brand/${tenant.tenantId}/${"x".repeat(index)}`,
    `/api/app/brand/${tenant.tenantId.toUpperCase()}/${name}`,
    `/api/app/brand/%2e%2e/${name}`,
  ];
  expect(
    await statements(async () => {
      for (let index = 1; index <= 300; index++)
        for (const wrong of made(index)) expect((await ask(wrong)).status).toBe(404);
    }),
  ).toBe(0);
  // Nor does an address of ours that is not a logo any more, but for the first time.
  const stale = picturePath(tenant.tenantId, digestOf(Buffer.from("was one")));
  expect(await statements(() => ask(stale))).toBe(1);
  expect(
    await statements(async () => {
      for (let index = 0; index < 50; index++) expect((await ask(stale)).status).toBe(404);
    }),
  ).toBe(0);
});

test("however many logos are asked for at once, few are read at once and what is kept is bounded", async () => {
  const bytes = pngOf(40, 30, { parts: [["tEXt", Buffer.alloc(240_000)]] });
  // 80 × 240 kB do not fit into 16 MiB: the first are read again.
  const names = Array.from({ length: 80 }, () => ({
    tenantId: newId(),
    digest: digestOf(Buffer.from(newId())),
  }));
  for (const { tenantId, digest } of names) {
    await database.owner.query(
      "INSERT INTO brand_logos (tenant_id, digest, kind, width, height, picture) VALUES ($1, $2, 'png', 40, 30, $3)",
      [tenantId, digest, bytes],
    );
  }
  const load = ({ tenantId, digest }: (typeof names)[number]) =>
    loadPicture(database.web, { tenantId, name: picturePath(tenantId, digest).split("/").at(-1) ?? "" });
  let [read, now, most] = [0, 0, 0];
  const { pool } = database.web;
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<PoolClient>;
  const spy = vi.spyOn(pool, "connect").mockImplementation((async (...args: unknown[]) => {
    if (args.length > 0) return connect(...args);
    read++;
    most = Math.max(most, ++now);
    const client = await connect();
    const release = client.release.bind(client);
    client.release = (error) => {
      now--;
      release(error);
    };
    return client;
  }) as never);
  try {
    const found = await Promise.all(names.slice(0, 40).map(load));
    for (const name of names.slice(40)) found.push(await load(name));
    expect(found.every((each) => each?.bytes.length === bytes.length)).toBe(true);
    expect(read).toBe(80);
    expect(most).toBeLessThanOrEqual(4);
    await load(names[79]!);
    expect(read).toBe(80);
    await load(names[0]!);
    expect(read).toBe(81);
  } finally {
    spy.mockRestore();
  }
});

test("addresses in mails that were sent hold while the former master key is known", async () => {
  const tenant = await makeTenant(database);
  const { logo } = await setLogo(tenant.as("owner"), { picture: base64(picture()) });
  const path = logo?.path ?? "";
  const current = Buffer.from(env().secretKey ?? "", "base64");
  const next = randomBytes(32);
  try {
    replaceMasterKeys({ current: next, previous: [current] });
    expect((await ask(path)).status).toBe(200);
    replaceMasterKeys({ current: next, previous: [] });
    expect((await ask(path)).status).toBe(404);
  } finally {
    replaceMasterKeys(undefined);
  }
});
