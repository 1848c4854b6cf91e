import { Conditions, scopeSql } from "../operations/conditions.ts";
import type { Scope } from "../operations/authorize.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { builtInType } from "../templates/built-in-templates.ts";

type Client = Pick<Db["pool"], "query">;

/** Greater than every text that begins with what it is put behind, byte by byte. */
const end = "\u{10ffff}";
/** Of the messages that have no words yet, the newest are looked through. */
const newestSearched = 10_000;
/** Of what others' messages may be among, so many addresses are looked at. */
const mostLookedAt = 2_000;
const first = "00000000-0000-0000-0000-000000000000";

/**
 * Addresses whose words begin with one of the prefixes, and those of messages without words yet that are like one of the patterns: at
 * most `limit`, each of which the caller could find whole. `more`: there may be others.
 * @param of.scopes where the caller sees addresses, and where they read messages; null: everywhere
 */
export async function selectAddressesLike(
  ctx: Ctx,
  of: {
    sandbox: readonly boolean[];
    prefixes: readonly string[];
    patterns: readonly string[];
    scopes: Record<"revealed" | "read", Required<Scope>[] | null>;
    limit: number;
  },
): Promise<{ addresses: string[]; more: boolean }> {
  const everywhere = of.scopes.revealed === null && of.scopes.read === null;
  const most = everywhere ? of.limit + 1 : mostLookedAt;
  const where = new Conditions([
    ctx.tenantId,
    of.sandbox,
    of.prefixes,
    end,
    most,
    of.patterns,
    newestSearched,
    of.limit + 1,
  ]);
  // Under row-level security an index takes no expression with coalesce(): it is in a subquery of its own.
  // Without the condition it would tell of addresses that only others write to.
  const visible = everywhere
    ? "true"
    : `EXISTS (SELECT FROM notifications n WHERE n.tenant_id = $1 AND n.recipient = f.address AND n.notification_type <> '${builtInType}'
         AND ${scopeSql(of.scopes.revealed, "n", where.values)} AND ${scopeSql(of.scopes.read, "n", where.values)})`;
  const [row] = await queryInTenant<{ addresses: string[]; full: boolean }>(
    ctx,
    `WITH worded AS MATERIALIZED (
       SELECT w.address FROM unnest($2::boolean[]) AS s(sandbox) CROSS JOIN unnest($3::text[]) AS p(prefix) CROSS JOIN LATERAL (
         SELECT a.address FROM address_words a WHERE a.tenant_id = $1 AND a.sandbox = s.sandbox AND a.word >= p.prefix COLLATE "C"
           AND a.word < (p.prefix || $4::text) COLLATE "C" ORDER BY a.word, a.address LIMIT $5::int) AS w
     ), found AS (
       SELECT address FROM worded
       UNION
       SELECT n.recipient FROM (
         SELECT recipient FROM notifications WHERE tenant_id = $1
           AND id > (SELECT coalesce((SELECT reached FROM address_word_marks WHERE tenant_id = $1), '${first}'))
         ORDER BY id DESC LIMIT $7::int) AS n WHERE n.recipient LIKE ANY ($6::text[])
     )
     SELECT ARRAY(SELECT f.address FROM found f WHERE ${visible} LIMIT $8::int) AS addresses,
       (SELECT count(*) FROM worded) >= $5::int AS "full"`,
    where.values,
  );
  const addresses = row?.addresses ?? [];
  return {
    addresses: addresses.slice(0, of.limit),
    more: addresses.length > of.limit || row?.full === true,
  };
}

/** Organisations with messages before `before` that have no words yet, in any order; worker's role. */
export async function selectUnworded(db: Db, before: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>(
    `SELECT t.id FROM tenant_states t LEFT JOIN address_word_marks m ON m.tenant_id = t.id
     CROSS JOIN LATERAL (SELECT n.id FROM notifications n WHERE n.tenant_id = t.id AND n.id > coalesce(m.reached, '${first}') AND n.id < $1
                         ORDER BY n.id LIMIT 1) AS next
     WHERE t.suspended_at IS NULL ORDER BY random()`,
    [before],
  );
  return rows.map(({ id }) => id);
}

/** Nobody else writes or removes words of the organisation until the transaction ends. False: somebody does. */
export async function tryLockWords(client: Client, tenantId: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended('address words ' || $1, 0)) AS locked",
    [tenantId],
  );
  return rows[0]?.locked === true;
}

/** The next messages without words up to an id, oldest first. */
export async function selectNextUnworded(
  client: Client,
  tenantId: string,
  before: string,
  limit: number,
): Promise<{ id: string; sandbox: boolean; recipient: string }[]> {
  const { rows } = await client.query<{ id: string; sandbox: boolean; recipient: string }>(
    `SELECT id, sandbox, recipient FROM notifications
     WHERE tenant_id = $1 AND id < $2
       AND id > coalesce((SELECT reached FROM address_word_marks WHERE tenant_id = $1), '${first}')
     ORDER BY id LIMIT $3`,
    [tenantId, before, limit],
  );
  return rows;
}

/** The words of an address, the whole of it first, and the day (ISO 8601) of its newest message. */
export interface WordedAddress {
  sandbox: boolean;
  address: string;
  words: string[];
  day: string;
}

/** Writes the words of addresses that have none, and the day of those that were last seen earlier; sets the mark. */
export async function writeWords(
  client: Client,
  tenantId: string,
  seen: readonly WordedAddress[],
  reached: string,
): Promise<number> {
  // Most addresses were written to before: one look tells, as the words of an address come and change together.
  const { rows: known } = await client.query<{ position: number }>(
    `SELECT x.position::int FROM unnest($2::boolean[], $3::text[], $4::text[], $5::date[]) WITH ORDINALITY AS x(sandbox, word, address, day, position)
     JOIN address_words w ON w.tenant_id = $1 AND w.sandbox = x.sandbox AND w.word = x.word AND w.address = x.address AND w.seen_on >= x.day`,
    [
      tenantId,
      seen.map(({ sandbox }) => sandbox),
      seen.map(({ words }) => words[0]),
      seen.map(({ address }) => address),
      seen.map(({ day }) => day),
    ],
  );
  const settled = new Set(known.map(({ position }) => position - 1));
  const rows = seen
    .filter((_, index) => !settled.has(index))
    .flatMap(({ words, ...of }) => words.map((word) => ({ word, ...of })));
  if (rows.length > 0) {
    const values = [
      tenantId,
      rows.map(({ sandbox }) => sandbox),
      rows.map(({ word }) => word),
      rows.map(({ address }) => address),
      rows.map(({ day }) => day),
    ];
    const given =
      "unnest($2::boolean[], $3::text[], $4::text[], $5::date[]) AS x(sandbox, word, address, day)";
    await client.query(
      `UPDATE address_words w SET seen_on = x.day FROM ${given}
       WHERE w.tenant_id = $1 AND w.sandbox = x.sandbox AND w.word = x.word AND w.address = x.address AND w.seen_on < x.day`,
      values,
    );
    await client.query(
      `INSERT INTO address_words (tenant_id, sandbox, word, address, seen_on)
       SELECT $1, sandbox, word, address, day FROM ${given} ORDER BY sandbox, word COLLATE "C" ON CONFLICT DO NOTHING`,
      values,
    );
  }
  await client.query(
    `INSERT INTO address_word_marks (tenant_id, reached) VALUES ($1, $2)
     ON CONFLICT (tenant_id) DO UPDATE SET reached = excluded.reached`,
    [tenantId, reached],
  );
  return rows.length;
}

/** Removes the words of these addresses, when whoever writes words of the organisation has ended. */
export async function deleteWords(
  tx: Tx,
  tenantId: string,
  words: readonly { word: string; address: string }[],
): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('address words ' || ${tenantId}, 0))`;
  return tx.$executeRaw`
    DELETE FROM address_words w USING unnest(${words.map(({ word }) => word)}::text[], ${words.map(({ address }) => address)}::text[]) AS x(word, address)
    WHERE w.tenant_id = ${tenantId}::uuid AND w.sandbox IN (true, false) AND w.word = x.word AND w.address = x.address`;
}
