import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import { approveSend, refuseSend } from "./decide-approval.ts";
import { countApprovals, getApproval, listApprovals } from "./list-approvals.ts";
import { approvalListSchema, refuseSendSchema } from "./schemas.ts";

const one = z.strictObject({ id: z.uuid() });
const read = "notifications:read";
const send = "notifications:send";

/** What agents sent to production and waits for a person. Only people decide, so none of it is for systems. */
export const approvalOperations = {
  list: query({ permission: read, input: approvalListSchema, run: listApprovals }),
  count: query({ permission: send, run: countApprovals }),
  get: query({ permission: read, input: one, run: getApproval }),
  approve: mutation({ permission: send, input: one, run: approveSend }),
  refuse: mutation({ permission: send, input: refuseSendSchema, run: refuseSend }),
};
