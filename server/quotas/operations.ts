import { query } from "../operations/operation.ts";
import { getQuota } from "./get-quota.ts";

/** What the operator lets the organisation do at most. */
export const quotaOperations = {
  get: query({ permission: "organization:manage", run: getQuota }),
};
