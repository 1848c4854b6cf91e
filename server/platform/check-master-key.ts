import { DomainError } from "../kernel/errors.ts";
import { resealDataKey } from "../kernel/secrets.ts";
import type { OperatorDb } from "./operator-db.ts";
import { selectAnyDataKey } from "./queries.ts";

/**
 * Throws `invalid_request` when this process's master key is not the installation's: the service could not open what it
 * sealed.
 */
export async function checkMasterKey(owner: OperatorDb["owner"]): Promise<void> {
  const row = await selectAnyDataKey(owner);
  if (!row) return;
  try {
    resealDataKey(row.id, row.dataKey);
  } catch (error) {
    throw new DomainError("invalid_request", "TIDINGS_SECRET_KEY is not the key of this installation.", {
      cause: error,
    });
  }
}
