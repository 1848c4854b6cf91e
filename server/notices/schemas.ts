/** Notices for members in the portal. Safe in the browser. */
import { z } from "zod";

export const noticeKinds = [
  "promotion.requested",
  "promotion.approved",
  "promotion.rejected",
  "promotion.deployed",
  "promotion.blocked",
  "promotion.rolled_back",
  "pipeline.proposed",
  "send.approval_requested",
  "consent.review_requested",
  "sign_in.failed",
  "sign_in.passkey_added",
  "sign_in.passkey_copied",
  "sign_in.passkey_removed",
  "sign_in.recovery_code",
  "provider.unavailable",
  "provider.recovered",
  "provider.slow",
  "webhook.turned_off",
  "quota.nearly_used_up",
  "quota.used_up",
  "template.recategorised",
  "mail.warned",
  "mail.held",
  "mail.hold_ended",
  "mail.hold_released",
  "recipient_limits.unreadable",
  "consent_policy.unreadable",
  "export.finished",
  "export.failed",
  "report.failed",
  "report.view_unshared",
  "report.view_deleted",
  "budget.threshold_reached",
  "costs.unusual",
  "objective.burning",
  "objective.recovered",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const noticeSchema = z.object({
  id: z.uuid(),
  kind: z.enum(noticeKinds),
  targetType: z.string(),
  targetId: z.uuid(),
  /** Names for its line, e.g. { by, application, to, templates }. */
  data: z.record(z.string(), z.string().or(z.number())),
  createdAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
});
export type Notice = z.output<typeof noticeSchema>;

export const noticeListSchema = z.object({
  limit: z.int().min(1).max(100).default(30),
  cursor: z.string().max(500).optional(),
});

/** Without ids: all of them. */
export const noticeReadSchema = z.object({ ids: z.array(z.uuid()).min(1).max(100).optional() });
