/** Owners of a connection's senders: from names to ids, and no number with two units. */
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { selectTakenSender } from "./queries.ts";
import type { SenderIdentity, StoredSender } from "./schemas.ts";
import { isAnswered, senderAddress } from "./sender-address.ts";

/**
 * The senders of an input as a connection stores them. Throws `invalid_request` for an unknown unit or one that is not
 * the connection's.
 * @param unitId the connection's; null: the whole organisation's
 */
export function resolveSenders(
  catalogue: Pick<Catalogue, "units">,
  unitId: string | null,
  senders: readonly SenderIdentity[],
): StoredSender[] {
  const errors: FieldError[] = [];
  const resolved = senders.map(({ unit, ...sender }, index): StoredSender => {
    if (unit === undefined || unit === null) return sender;
    const found = catalogue.units.find((entry) => entry.slug === unit || entry.id === unit);
    if (!found || (unitId !== null && found.id !== unitId)) {
      const detail = found ? "The connection is another unit's: its senders are that unit's" : "Not a unit";
      errors.push({ pointer: `/senders/${String(index)}/unit`, code: "unknown_unit", detail });
    }
    return unitId === null && found ? { ...sender, unitId: found.id } : sender;
  });
  if (errors.length > 0) {
    throw new DomainError("invalid_request", "A sender's unit does not fit.", { errors });
  }
  return resolved;
}

/** Stored senders of a connection that moves to a unit. Throws `invalid_request` when one belongs to another unit. */
export function moveSenders(unitId: string | null, senders: readonly StoredSender[]): StoredSender[] {
  if (unitId === null) return [...senders];
  const other = senders.find((entry) => entry.unitId !== undefined && entry.unitId !== unitId);
  if (other) {
    const detail = `The sender ${other.sender} is another unit's: give it to this one, or take it off the list`;
    throw new DomainError("invalid_request", `${detail}.`, {
      errors: [{ pointer: "/unit", code: "unknown_unit", detail }],
    });
  }
  return senders.map(({ unitId: _, ...sender }) => sender);
}

/**
 * Throws `conflict` for a number that another connection lists for another unit: replies to it have one owner. Nobody
 * else of the organisation can claim a number until the transaction ends; the database refuses it as well.
 */
export async function refuseTakenSenders(
  tx: Tx,
  catalogue: Pick<Catalogue, "units" | "tenant">,
  connection: { id: string; unitId: string | null; sandbox: boolean; tenantId: string },
  senders: readonly StoredSender[],
): Promise<void> {
  const claims = senders.flatMap((entry, index) => {
    const { kind, address } = senderAddress(entry.channel, entry.sender);
    if (!isAnswered(kind)) return [];
    return [{ index, channel: entry.channel, address, unitId: connection.unitId ?? entry.unitId ?? null }];
  });
  if (claims.length === 0) return;
  const taken = await selectTakenSender(tx, connection, claims);
  if (!taken) return;
  const owner = catalogue.units.find(({ id }) => id === taken.unitId)?.name ?? "the whole organisation";
  const sender = senders[taken.index]?.sender ?? "";
  throw new DomainError(
    "conflict",
    `The number ${sender} is listed by the connection ${taken.connection} for ${owner}. A number is one unit's or everybody's: take it off one of the two connections, or give it to the same unit on both.`,
    {
      errors: [
        {
          pointer: `/senders/${String(taken.index)}/sender`,
          code: "taken",
          detail: `${taken.connection} lists it for ${owner}`,
        },
      ],
    },
  );
}
