import { apiKeyOperations } from "../access/operations.ts";
import { auditOperations } from "../audit/operations.ts";
import { providerOperations } from "../connections/operations.ts";
import { consentOperations } from "../consent/operations.ts";
import { contactGroupOperations, contactOperations } from "../contacts/operations.ts";
import { suppressionOperations } from "../consent/suppression-operations.ts";
import { conversationOperations } from "../conversations/operations.ts";
import { exportOperations } from "../exports/operations.ts";
import { insightOperations } from "../insights/operations.ts";
import { linkOperations } from "../links/operations.ts";
import type { RestContract } from "../operations/operation.ts";
import { objectiveOperations } from "../objectives/operations.ts";
import { pipelineOperations, promotionOperations } from "../pipelines/operations.ts";
import { privacyOperations } from "../privacy/operations.ts";
import { recipientLimitOperations } from "../recipient-limits/operations.ts";
import { residencyOperations } from "../residency/operations.ts";
import { routingOperations } from "../routing/operations.ts";
import { sandboxOperations } from "../sandbox/operations.ts";
import { broadcastOperations } from "../sending/broadcast-operations.ts";
import { notificationOperations } from "../sending/operations.ts";
import { templateFileOperations } from "../template-files/operations.ts";
import { templateOperations } from "../templates/operations.ts";
import { webhookOperations } from "../webhooks/operations.ts";
import { workspaceOperations } from "../workspace/operations.ts";

/** The declarations of each domain, in the order of the documentation. */
const domains: Record<string, { kind: string; rest: RestContract | undefined }>[] = [
  notificationOperations,
  broadcastOperations,
  conversationOperations,
  consentOperations,
  contactOperations,
  contactGroupOperations,
  suppressionOperations,
  sandboxOperations,
  templateOperations,
  templateFileOperations,
  pipelineOperations,
  promotionOperations,
  providerOperations,
  routingOperations,
  insightOperations,
  objectiveOperations,
  exportOperations,
  workspaceOperations,
  recipientLimitOperations,
  residencyOperations,
  privacyOperations,
  linkOperations,
  webhookOperations,
  apiKeyOperations,
  auditOperations,
];

const operations = domains.flatMap((domain) => Object.values(domain));

/** Every public REST operation. */
export const contracts: readonly RestContract[] = operations.flatMap(({ rest }) => rest ?? []);

/** Those that the portal does not have. */
export const systemsOnly: readonly RestContract[] = operations
  .filter(({ kind }) => kind === "rest")
  .flatMap(({ rest }) => rest ?? []);
