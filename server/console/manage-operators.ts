/** Operators' accounts, by command only: whoever may make one already holds the database. */
import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { z } from "zod";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { deleteOperator, insertOperator, replaceLink, selectOperators } from "./queries.ts";
import type { ListedOperator } from "./queries.ts";
import type { newOperatorSchema } from "./schemas.ts";
import { resetFactor } from "./second-factor-queries.ts";
import { hashOf, secretBytes } from "./sessions.ts";

type Owner = Pick<Pool, "query">;

const linkHours = 24;

const eventOf = (action: string, data: object) => ({
  id: newId(),
  at: new Date(),
  operatorName: "Command",
  action,
  requestId: newId(),
  data,
});

/** A link to choose a password, with which an earlier one ends. */
export interface OperatorLink {
  address: string;
  expiresAt: Date;
}

/** Makes an operator, who has no password before the link was used. Throws `conflict`. */
export async function createOperator(
  owner: Owner,
  input: z.output<typeof newOperatorSchema>,
): Promise<OperatorLink> {
  const added = await insertOperator(owner, {
    id: newId(),
    ...input,
    event: eventOf("operator.created", { email: input.email, name: input.name }),
  });
  if (!added) throw new DomainError("conflict", "There is an operator with this address.");
  return linkForOperator(owner, input.email);
}

/** A new link to choose a password. Throws `not_found`. */
export async function linkForOperator(owner: Owner, email: string): Promise<OperatorLink> {
  const token = randomBytes(secretBytes).toString("base64url");
  const expiresAt = new Date(Date.now() + linkHours * 3_600_000);
  const event = eventOf("operator.linked", { email, expiresAt });
  const linked = await replaceLink(owner, {
    email: email.toLowerCase(),
    hash: hashOf(token),
    expiresAt,
    event,
  });
  if (!linked) throw unknownOperator(email);
  return { address: `${env().publicUrl}/console/set-password#${token}`, expiresAt };
}

export function listOperators(owner: Owner): Promise<ListedOperator[]> {
  return selectOperators(owner);
}

/** Removes an operator, whose sessions end at once. Throws `not_found`. */
export async function removeOperator(owner: Owner, email: string): Promise<void> {
  const event = eventOf("operator.removed", { email });
  if (!(await deleteOperator(owner, email.toLowerCase(), event))) throw unknownOperator(email);
}

/**
 * Takes an operator's second factor away and ends their sessions, for whoever has lost the app and the recovery codes. Returns
 * whether there was one. Throws `not_found`.
 */
export async function resetSecondFactor(owner: Owner, email: string): Promise<boolean> {
  const reset = await resetFactor(owner, email.toLowerCase(), eventOf("second_factor.reset", { email }));
  if (!reset) throw unknownOperator(email);
  return reset.had;
}

function unknownOperator(email: string): DomainError {
  return new DomainError("not_found", `There is no operator with the address ${email}.`);
}
