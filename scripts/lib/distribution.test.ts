import { expect, test } from "vitest";
import { testDatabase } from "../../server/testing/database.ts";
import { localTables, readDistribution, referenceTables, remaining, undecided } from "./distribution.ts";

const database = await testDatabase();

test("every table is distributed by tenant or has a reason not to be, and what does not fit is a decision", async () => {
  const found = await readDistribution(database.owner);
  expect(found.tables.length).toBeGreaterThan(100);
  expect(undecided(found), "decide in scripts/lib/distribution.ts").toEqual({ unknown: [], outdated: [] });
  const names = new Set(found.tables.map(({ name }) => name));
  for (const name of [...Object.keys(referenceTables), ...Object.keys(localTables)])
    expect(names).toContain(name);
  for (const reason of Object.values(remaining)) expect(reason).not.toBe("");
});

test("a table without a tenant, a key, a reference, a trigger, a view and a function that do not fit are found", async () => {
  await database.owner.query(`
    CREATE TABLE probe_alone (id uuid PRIMARY KEY);
    CREATE TABLE probe_wrong (tenant_id uuid NOT NULL, id uuid PRIMARY KEY REFERENCES probe_alone, name text UNIQUE);
    CREATE TABLE probe_right (tenant_id uuid NOT NULL, id uuid NOT NULL, PRIMARY KEY (tenant_id, id));
    CREATE TABLE probe_refers (tenant_id uuid NOT NULL, id uuid NOT NULL, other uuid REFERENCES probe_wrong (id), PRIMARY KEY (tenant_id, id));
    CREATE VIEW probe_view AS SELECT a.tenant_id, b.id FROM probe_right a JOIN probe_refers b ON b.id = a.id;
    CREATE VIEW probe_hides AS SELECT count(*) AS n FROM probe_right;
    CREATE FUNCTION probe_all() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM probe_right $$;
    CREATE FUNCTION probe_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER probe_trigger AFTER INSERT ON probe_right FOR EACH ROW EXECUTE FUNCTION probe_change();`);
  const { unknown } = undecided(await readDistribution(database.owner));
  expect(unknown).toEqual([
    "foreign key probe_refers_other_fkey of probe_refers to probe_wrong: without the tenant",
    "foreign key probe_wrong_id_fkey of probe_wrong to probe_alone: from distributed to undecided",
    "function probe_all: of all tenants",
    "table probe_alone: neither distributed nor named",
    "trigger probe_trigger of probe_right",
    "unique index probe_wrong_name_key of probe_wrong: without tenant_id",
    "unique index probe_wrong_pkey of probe_wrong: without tenant_id",
    "view probe_hides: does not hand the tenant on",
    "view probe_view: joins probe_right, probe_refers otherwise than by tenant",
  ]);
});
