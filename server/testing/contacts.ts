import { newId } from "../kernel/ids.ts";
import type { TestDatabase } from "./database.ts";

interface TestContact {
  id: string;
  sms: string;
  email: string;
}

let next = 0;

/** Contacts with a number and a mail address each; `fields` are those of the first ones. Written directly, so that many are quick. */
export async function addContacts(
  database: TestDatabase,
  tenantId: string,
  count: number,
  fields: {
    name?: string;
    region?: string;
    language?: string;
    timeZone?: string;
    attributes?: Record<string, string>;
    noSms?: boolean;
  }[] = [],
): Promise<TestContact[]> {
  const contacts = Array.from({ length: count }, (_, n) => {
    const number = next++;
    return {
      id: newId(),
      sms: `+49152${String(10_000_000 + number)}`,
      email: `contact-${String(number)}@example.com`,
      ...fields[n],
    };
  });
  await database.owner.query(
    `WITH rows AS (
       SELECT * FROM jsonb_to_recordset($2) AS r(id uuid, name text, region text, language text, "timeZone" text, attributes jsonb)
     )
     INSERT INTO contacts (tenant_id, id, name, region, language, time_zone, attributes, created_at, updated_at)
     SELECT $1::uuid, id, name, region, language, "timeZone", coalesce(attributes, '{}'), now(), now() FROM rows`,
    [tenantId, JSON.stringify(contacts)],
  );
  await database.owner.query(
    `WITH rows AS (
       SELECT * FROM jsonb_to_recordset($2) AS r(id uuid, sms text, email text, "noSms" boolean)
     )
     INSERT INTO contact_addresses (tenant_id, channel, address, contact_id, position, created_at)
     SELECT $1::uuid, 'sms', sms, id, 0, now() FROM rows WHERE "noSms" IS NOT TRUE
     UNION ALL SELECT $1::uuid, 'email', email, id, 0, now() FROM rows`,
    [tenantId, JSON.stringify(contacts)],
  );
  return contacts;
}

/** A group of these contacts. */
export async function addGroup(
  database: TestDatabase,
  tenantId: string,
  name: string,
  contacts: readonly { id: string }[],
): Promise<string> {
  const id = newId();
  await database.owner.query(
    `WITH made AS (
       INSERT INTO contact_groups (tenant_id, id, name, kind, size, counted_at, created_at, updated_at)
       VALUES ($1, $2, $3, 'static', $4, now(), now(), now())
     )
     INSERT INTO contact_group_members (tenant_id, group_id, contact_id, added_at)
     SELECT $1, $2, c, now() FROM unnest($5::uuid[]) AS c`,
    [tenantId, id, name, contacts.length, contacts.map((contact) => contact.id)],
  );
  return id;
}

export async function eraseContact(database: TestDatabase, tenantId: string, id: string): Promise<void> {
  await database.owner.query("DELETE FROM contacts WHERE tenant_id = $1 AND id = $2", [tenantId, id]);
}
