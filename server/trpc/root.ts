import {
  apiKeyOperations,
  memberOperations,
  passkeyOperations,
  roleOperations,
  secondFactorOperations,
  sessionOperations,
  signInPolicyOperations,
} from "../access/operations.ts";
import { aiOperations } from "../ai/operations.ts";
import { auditOperations } from "../audit/operations.ts";
import { providerOperations } from "../connections/operations.ts";
import { consentOperations } from "../consent/operations.ts";
import { budgetOperations } from "../budgets/operations.ts";
import { contactGroupOperations, contactOperations } from "../contacts/operations.ts";
import { suppressionOperations } from "../consent/suppression-operations.ts";
import { conversationOperations } from "../conversations/operations.ts";
import { costOperations } from "../costs/operations.ts";
import { deliverabilityOperations } from "../deliverability/operations.ts";
import { directoryOperations } from "../directory/operations.ts";
import { draftingOperations } from "../drafting/operations.ts";
import { exportOperations } from "../exports/operations.ts";
import { healthOperations } from "../health/operations.ts";
import { importOperations } from "../imports/operations.ts";
import { insightOperations } from "../insights/operations.ts";
import { invitationOperations } from "../invitations/operations.ts";
import { linkOperations } from "../links/operations.ts";
import { noticeOperations } from "../notices/operations.ts";
import { onboardingOperations } from "../onboarding/operations.ts";
import { pipelineOperations, promotionOperations } from "../pipelines/operations.ts";
import { objectiveOperations } from "../objectives/operations.ts";
import { privacyOperations } from "../privacy/operations.ts";
import { quotaOperations } from "../quotas/operations.ts";
import { recipientLimitOperations } from "../recipient-limits/operations.ts";
import { reportOperations } from "../reports/operations.ts";
import { residencyOperations } from "../residency/operations.ts";
import { routingOperations } from "../routing/operations.ts";
import { mailboxOperations, sandboxOperations } from "../sandbox/operations.ts";
import { approvalOperations } from "../sending/approval-operations.ts";
import { broadcastOperations } from "../sending/broadcast-operations.ts";
import { previewOperations } from "../sending/preview-operations.ts";
import { notificationOperations } from "../sending/operations.ts";
import { ssoOperations } from "../sso/operations.ts";
import { templateFileOperations } from "../template-files/operations.ts";
import { moderationOperations } from "../templates/moderation-operations.ts";
import { templateOperations } from "../templates/operations.ts";
import { webhookOperations } from "../webhooks/operations.ts";
import { brandingOperations } from "../workspace/branding-operations.ts";
import { workspaceOperations } from "../workspace/operations.ts";
import { router } from "./init.ts";
import { proceduresOf } from "./procedures.ts";

/** All procedures of the portal, one router a domain. */
export const appRouter = router({
  ai: proceduresOf(aiOperations),
  apiKeys: proceduresOf(apiKeyOperations),
  approvals: proceduresOf(approvalOperations),
  audit: proceduresOf(auditOperations),
  consent: proceduresOf(consentOperations),
  contactGroups: proceduresOf(contactGroupOperations),
  contacts: proceduresOf(contactOperations),
  branding: proceduresOf(brandingOperations),
  broadcasts: proceduresOf(broadcastOperations),
  conversations: proceduresOf(conversationOperations),
  budgets: proceduresOf(budgetOperations),
  costs: proceduresOf(costOperations),
  deliverability: proceduresOf(deliverabilityOperations),
  directory: proceduresOf(directoryOperations),
  drafting: proceduresOf(draftingOperations),
  exports: proceduresOf(exportOperations),
  health: proceduresOf(healthOperations),
  imports: proceduresOf(importOperations),
  insights: proceduresOf(insightOperations),
  links: proceduresOf(linkOperations),
  mailbox: proceduresOf(mailboxOperations),
  members: proceduresOf({ ...memberOperations, ...invitationOperations }),
  moderation: proceduresOf(moderationOperations),
  notices: proceduresOf(noticeOperations),
  notifications: proceduresOf(notificationOperations),
  objectives: proceduresOf(objectiveOperations),
  onboarding: proceduresOf(onboardingOperations),
  passkeys: proceduresOf(passkeyOperations),
  pipelines: proceduresOf(pipelineOperations),
  privacy: proceduresOf(privacyOperations),
  promotions: proceduresOf(promotionOperations),
  providers: proceduresOf(providerOperations),
  quotas: proceduresOf(quotaOperations),
  recipientLimits: proceduresOf(recipientLimitOperations),
  reports: proceduresOf(reportOperations),
  residency: proceduresOf(residencyOperations),
  roles: proceduresOf(roleOperations),
  routing: proceduresOf(routingOperations),
  sandbox: proceduresOf(sandboxOperations),
  secondFactor: proceduresOf(secondFactorOperations),
  sessions: proceduresOf(sessionOperations),
  signInPolicy: proceduresOf(signInPolicyOperations),
  sso: proceduresOf(ssoOperations),
  suppressions: proceduresOf(suppressionOperations),
  templateFiles: proceduresOf(templateFileOperations),
  templates: proceduresOf({ ...templateOperations, ...previewOperations }),
  tenancy: proceduresOf(workspaceOperations),
  webhooks: proceduresOf(webhookOperations),
});

export type AppRouter = typeof appRouter;
