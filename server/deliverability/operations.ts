import { mutation, query } from "../operations/operation.ts";
import { getDeliverability } from "./get-deliverability.ts";
import { releaseHold } from "./release-hold.ts";
import { holdReleaseSchema } from "./schemas.ts";

/** How mail arrives at the mailbox providers. */
export const deliverabilityOperations = {
  get: query({ permission: "reports:read", run: getDeliverability }),
  release: mutation({ permission: "routing:manage", input: holdReleaseSchema, run: releaseHold }),
};
