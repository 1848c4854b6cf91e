import { mutation, query } from "../operations/operation.ts";
import { getDeliverability } from "./get-deliverability.ts";
import { checkSender, listSenderDomains } from "./check-senders.ts";
import { releaseHold } from "./release-hold.ts";
import { holdReleaseSchema, senderDomainSchema } from "./schemas.ts";

/** How mail arrives at the mailbox providers. */
export const deliverabilityOperations = {
  get: query({ permission: "reports:read", run: getDeliverability }),
  senders: query({ permission: "reports:read", run: listSenderDomains }),
  checkSender: mutation({
    permission: "providers:manage",
    input: senderDomainSchema,
    run: (ctx, input) => checkSender(ctx, input),
  }),
  release: mutation({ permission: "routing:manage", input: holdReleaseSchema, run: releaseHold }),
};
