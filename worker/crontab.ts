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

/** Scheduled jobs (UTC). There is one job of each at a time: the key replaces one that is still waiting. */
export const crontab: CronItem[] = [
  {
    task: sweepNotifications.name,
    match: "* * * * *",
    options: { jobKey: "cron:sweep_notifications", backfillPeriod: 0 },
  },
  {
    task: resumeHeld.name,
    match: "* * * * *",
    options: { jobKey: "cron:resume_held", backfillPeriod: 0 },
  },
  {
    task: tellIncompleteTask.name,
    match: "* * * * *",
    options: { jobKey: "cron:tell_incomplete_messages", backfillPeriod: 0 },
  },
  {
    task: sweepLongWorkTask.name,
    match: "* * * * *",
    options: { jobKey: "cron:sweep_long_work", backfillPeriod: 0 },
  },
  {
    task: deleteOrganisationsTask.name,
    match: "* * * * *",
    options: { jobKey: "cron:delete_organisations", backfillPeriod: 0 },
  },
  {
    task: warnOfEndingKeysTask.name,
    match: "41 * * * *",
    options: { jobKey: "cron:warn_of_ending_keys", backfillPeriod: 0 },
  },
  {
    task: sendReportsTask.name,
    match: "* * * * *",
    options: { jobKey: "cron:send_reports", backfillPeriod: 0 },
  },
  {
    task: purgeExpiredTask.name,
    match: "23 * * * *",
    options: { jobKey: "cron:purge_expired", backfillPeriod: 0 },
  },
  {
    task: purgeRetentionTask.name,
    match: "37 * * * *",
    options: { jobKey: "cron:purge_retention", backfillPeriod: 0 },
  },
  {
    task: recheckWhatsappApprovalsTask.name,
    match: "*/2 * * * *",
    options: { jobKey: "cron:recheck_whatsapp_approvals", backfillPeriod: 0 },
  },
  {
    task: deployPassedTask.name,
    match: "* * * * *",
    options: { jobKey: "cron:deploy_passed_promotions", backfillPeriod: 0 },
  },
  {
    task: judgeObjectivesTask.name,
    match: "* * * * *",
    options: { jobKey: "cron:judge_objectives", backfillPeriod: 0 },
  },
  {
    task: judgeStandingsTask.name,
    match: "*/5 * * * *",
    options: { jobKey: "cron:judge_mail_standings", backfillPeriod: 0 },
  },
  {
    task: checkSendersTask.name,
    match: "*/10 * * * *",
    options: { jobKey: "cron:check_sender_domains", backfillPeriod: 0 },
  },
  {
    task: bookPricesTask.name,
    match: "*/10 * * * *",
    options: { jobKey: "cron:book_prices", backfillPeriod: 0 },
  },
  {
    task: tellUnreadableTask.name,
    match: "*/10 * * * *",
    options: { jobKey: "cron:tell_unreadable_policies", backfillPeriod: 0 },
  },
  {
    task: judgeBudgetsTask.name,
    match: "* * * * *",
    options: { jobKey: "cron:judge_budgets", backfillPeriod: 0 },
  },
  {
    task: findUnusualTask.name,
    match: "11 * * * *",
    options: { jobKey: "cron:find_unusual_costs", backfillPeriod: 0 },
  },
  {
    task: checkpointAuditTask.name,
    match: "*/5 * * * *",
    options: { jobKey: "cron:checkpoint_audit", backfillPeriod: 0 },
  },
  {
    task: verifyAuditTask.name,
    match: "* * * * *",
    options: { jobKey: "cron:verify_audit", backfillPeriod: 0 },
  },
  {
    task: ensurePartitionsTask.name,
    match: "17 3 * * *",
    options: { jobKey: "cron:ensure_partitions", backfillPeriod: 86_400_000 },
  },
];
