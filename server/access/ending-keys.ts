import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { selectEndingKeys, selectKeyManagers } from "./queries.ts";
import type { EndingKeyRow, KeyManagerRow } from "./queries.ts";
import { keyLimits } from "./vocabulary.ts";

/** Who is told of one key, its owner aside, at most. */
const maxManagers = 10;

/**
 * Keys of any tenants whose people are to be warned, in turns by tenant, soonest end first; few of one tenant, so that many of its keys
 * keep nobody else's waiting. Left out are keys that have a successor, and those that were made for less time than the warning comes
 * before.
 */
export function findEndingKeys(db: Db, limits: { all: number; each: number }): Promise<EndingKeyRow[]> {
  const [first, last] = keyLimits.warnDays;
  return selectEndingKeys(db, { first, last, ...limits });
}

/** Who is to be warned of a key: whose it is, and who manages keys there. */
export async function findPeopleOf(db: Db, key: EndingKeyRow): Promise<KeyManagerRow[]> {
  const managers = await inTenant({ db, tenantId: key.tenantId }, (tx) =>
    selectKeyManagers(tx, key.tenantId, { unitId: key.unitId, limit: maxManagers }),
  );
  const owner = { id: key.ownerId, name: key.ownerName, email: key.ownerEmail };
  const people = [...(isPerson(owner) ? [owner] : []), ...managers];
  return [...new Map(people.map((person) => [person.id, person])).values()];
}

function isPerson(owner: { [Field in keyof KeyManagerRow]: string | null }): owner is KeyManagerRow {
  return owner.id !== null && owner.name !== null && owner.email !== null;
}

/** The people of a key were told: not again before the next warning. */
export async function noteWarning(db: Db, key: EndingKeyRow): Promise<void> {
  const { tenantId, id, days } = key;
  await inTenant({ db, tenantId }, (tx) =>
    tx.apiKey.update({ where: { tenantId_id: { tenantId, id } }, data: { warnedDays: days } }),
  );
}
