import { expect, test } from "vitest";
import { listOwnNotices, markOwnRead } from "../notices/own-notices.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { getConsentPolicy, setConsentPolicy } from "./set-policy.ts";
import { tellUnreadablePolicies } from "./tell-unreadable.ts";

const database = await testDatabase();

async function makeWorld() {
  const tenant = await makeTenant(database);
  const person = async (role: "owner" | "auditor", unitId?: string): Promise<Ctx> => {
    const member = await tenant.addMember(role, unitId === undefined ? {} : { unitId });
    return {
      ...tenant.as(role, unitId),
      actor: { type: "user", id: member.id, name: "Somebody", email: member.email },
    };
  };
  const owner = await person("owner");
  const others = [await person("auditor"), await person("owner", tenant.units.alpha)];
  const store = (settings: unknown) =>
    database.owner.query("UPDATE tenants SET settings = $2 WHERE id = $1", [
      tenant.tenantId,
      JSON.stringify(settings),
    ]);
  const told = async (ctx: Ctx) =>
    (await listOwnNotices(ctx, { limit: 10 })).data.filter(
      ({ kind }) => kind === "consent_policy.unreadable",
    );
  return { tenant, owner, others, store, told };
}

const sweep = () => tellUnreadablePolicies(database.worker);

test("who may set a consent policy that cannot be read is told once until it is mended, without anybody opening a page", async () => {
  const { tenant, owner, others, store, told } = await makeWorld();
  const bystander = await makeWorld();
  await bystander.store({ consentPolicies: [{ class: "marketing", policy: "opt_out" }] });
  await sweep();
  expect(await told(owner)).toEqual([]);

  await store({ consentPolicies: [{ class: "service", policy: "maybe" }] });
  await sweep();
  expect(await told(owner)).toMatchObject([{ targetId: tenant.tenantId, readAt: null, data: {} }]);
  for (const ctx of [...others, bystander.owner]) expect(await told(ctx)).toEqual([]);
  // Neither while it is unread nor once it was read.
  await sweep();
  await markOwnRead(owner, {});
  await sweep();
  expect(await told(owner)).toHaveLength(1);

  await setConsentPolicy(owner, { overrides: [], revision: (await getConsentPolicy(owner)).revision });
  expect(await told(owner)).toEqual([]);
  // The same fault once more is told once more.
  await store({ consentPolicies: {} });
  await sweep();
  expect(await told(owner)).toMatchObject([{ readAt: null }]);
  // Mended in the database, by whoever runs the installation.
  await store({});
  await sweep();
  expect(await told(owner)).toEqual([]);
  await store(7);
  await sweep();
  expect(await told(owner)).toHaveLength(1);
});

test("an organisation that cannot be told keeps no other from hearing of theirs", async () => {
  const [broken, other] = [await makeWorld(), await makeWorld()];
  for (const { store } of [broken, other]) await store({ consentPolicies: {} });
  await database.owner.query(
    `CREATE FUNCTION refuse_notice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
     CREATE TRIGGER refuse BEFORE INSERT ON notices FOR EACH ROW
       WHEN (NEW.tenant_id = '${broken.tenant.tenantId}') EXECUTE FUNCTION refuse_notice()`,
  );
  await sweep();
  expect([await broken.told(broken.owner), await other.told(other.owner)]).toMatchObject([[], [{}]]);
  await database.owner.query("DROP TRIGGER refuse ON notices; DROP FUNCTION refuse_notice()");
  await sweep();
  expect(await broken.told(broken.owner)).toHaveLength(1);
});

test("all organisations are looked at, however many have policies", async () => {
  const worlds = await Promise.all(Array.from({ length: 3 }, makeWorld));
  await database.owner.query(
    `INSERT INTO tenants (id, slug, name, data_region, data_key, settings, created_at)
     SELECT uuidv7(), 'filler-' || n, 'Filler', t.data_region, t.data_key, '{"consentPolicies": []}', now()
     FROM generate_series(1, 250) AS n, tenants t WHERE t.id = $1`,
    [worlds[0]!.tenant.tenantId],
  );
  const last = await makeWorld();
  for (const { store } of [...worlds, last]) await store({ consentPolicies: "none" });
  await sweep();
  for (const { owner, told } of [...worlds, last]) expect(await told(owner)).toHaveLength(1);
});
