import type { CronItem } from "graphile-worker";
import { findUnusualTask, judgeBudgetsTask } from "../server/budgets/tasks.ts";
import { tellUnreadableTask } from "../server/consent/tell-unreadable.ts";
import { deleteOrganisationsTask } from "../server/console/tasks.ts";
import { bookPricesTask } from "../server/costs/book-prices.ts";
import { checkSendersTask, judgeStandingsTask } from "../server/deliverability/tasks.ts";
import { tellIncompleteTask } from "../server/inbound/tasks.ts";
import { warnOfEndingKeysTask } from "../server/invitations/tasks.ts";
import { judgeObjectivesTask } from "../server/objectives/tasks.ts";
import { deployPassedTask } from "../server/pipelines/tasks.ts";
import { sendReportsTask } from "../server/reports/tasks.ts";
import { resumeHeld, sweepNotifications } from "../server/sending/tasks.ts";
import { recheckWhatsappApprovalsTask } from "../server/templates/recheck-whatsapp-approvals.ts";
import {
  checkpointAuditTask,
  ensurePartitionsTask,
  purgeExpiredTask,
  purgeRetentionTask,
  sweepLongWorkTask,
  verifyAuditTask,
} from "./tasks/maintenance.ts";

/**
 * One run of each job at a time, in the whole installation: while one is still at work, the next waits in its queue, so that a run that
 * takes long, or hangs, takes up one slot and no other job's. The key replaces a run that is still waiting.
 * @param backfillPeriod so long ago a time that no worker was there for is made up for, ms
 */
function job({ name: task }: { name: string }, match: string, backfillPeriod = 0): CronItem {
  const jobKey = `cron:${task}`;
  return { task, match, options: { jobKey, queueName: jobKey, backfillPeriod } };
}

/** Scheduled jobs (UTC). */
export const crontab: CronItem[] = [
  job(sweepNotifications, "* * * * *"),
  job(resumeHeld, "* * * * *"),
  job(tellIncompleteTask, "* * * * *"),
  job(sweepLongWorkTask, "* * * * *"),
  job(deleteOrganisationsTask, "* * * * *"),
  job(warnOfEndingKeysTask, "41 * * * *"),
  job(sendReportsTask, "* * * * *"),
  job(purgeExpiredTask, "23 * * * *"),
  job(purgeRetentionTask, "37 * * * *"),
  job(recheckWhatsappApprovalsTask, "*/2 * * * *"),
  job(deployPassedTask, "* * * * *"),
  job(judgeObjectivesTask, "* * * * *"),
  job(judgeStandingsTask, "*/5 * * * *"),
  job(checkSendersTask, "*/10 * * * *"),
  job(bookPricesTask, "*/10 * * * *"),
  job(tellUnreadableTask, "*/10 * * * *"),
  job(judgeBudgetsTask, "* * * * *"),
  job(findUnusualTask, "11 * * * *"),
  job(checkpointAuditTask, "*/5 * * * *"),
  job(verifyAuditTask, "* * * * *"),
  job(ensurePartitionsTask, "17 3 * * *", 86_400_000),
];
