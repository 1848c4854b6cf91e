import type { TaskList } from "graphile-worker";
import { z } from "zod";
import { purgeAnswers } from "../../server/access/answer-once.ts";
import { purgeAudit } from "../../server/audit/purge-audit.ts";
import { verifySlices } from "../../server/audit/verify-slices.ts";
import { writeCheckpoint } from "../../server/audit/write-checkpoint.ts";
import { findUnusual } from "../../server/budgets/find-unusual.ts";
import { judgeBudgets } from "../../server/budgets/judge-budgets.ts";
import { findUnusualTask, judgeBudgetsTask } from "../../server/budgets/tasks.ts";
import { expireReviews } from "../../server/consent/decide-review.ts";
import { postConfirmation } from "../../server/consent/tasks.ts";
import { tellUnreadablePolicies, tellUnreadableTask } from "../../server/consent/tell-unreadable.ts";
import { carryOutChannelRequest } from "../../server/console/carry-out-channel-request.ts";
import { deleteOrganisations } from "../../server/console/delete-organisations.ts";
import { carryOutChannelRequestTask, deleteOrganisationsTask } from "../../server/console/tasks.ts";
import { countGroup } from "../../server/contacts/count-group.ts";
import { countContactGroup } from "../../server/contacts/tasks.ts";
import { bookListedPrices, bookPricesTask } from "../../server/costs/book-prices.ts";
import { purgeExports } from "../../server/exports/purge-exports.ts";
import { resumeExports } from "../../server/exports/go-on.ts";
import { exportRows } from "../../server/exports/tasks.ts";
import { purgeImports as purgeRowImports } from "../../server/imports/purge-imports.ts";
import { resumeImports } from "../../server/imports/go-on.ts";
import { importRows } from "../../server/imports/tasks.ts";
import { sendConfirmation } from "../../server/conversations/send-confirmation.ts";
import { sendWordReply } from "../../server/conversations/send-word-reply.ts";
import { postWordReply } from "../../server/conversations/tasks.ts";
import { checkSenders } from "../../server/deliverability/check-senders.ts";
import { judgeStandings } from "../../server/deliverability/judge-standings.ts";
import { checkSendersTask, judgeStandingsTask } from "../../server/deliverability/tasks.ts";
import { tellIncomplete } from "../../server/inbound/join-parts.ts";
import { recordInbound } from "../../server/inbound/record-inbound.ts";
import { tellIncompleteTask } from "../../server/inbound/tasks.ts";
import { warnOfEndingKeysTask } from "../../server/invitations/tasks.ts";
import { warnOfEndingKeys } from "../../server/invitations/warn-of-ending-keys.ts";
import type { Db } from "../../server/kernel/db.ts";
import { env } from "../../server/kernel/env.ts";
import type { Logger } from "../../server/kernel/log.ts";
import type { OutboundClient } from "../../server/kernel/outbound-http.ts";
import { defineTask } from "../../server/kernel/tasks.ts";
import { purgeLinks } from "../../server/links/purge-links.ts";
import { reportLinkProblem } from "../../server/links/report-problem.ts";
import { reportLinkProblemTask } from "../../server/links/tasks.ts";
import { purgeRetention } from "../../server/privacy/purge.ts";
import { resumeErasures, runErasure } from "../../server/privacy/run-erasure.ts";
import { judgeObjectives } from "../../server/objectives/judge-objectives.ts";
import { judgeObjectivesTask } from "../../server/objectives/tasks.ts";
import { deployPassed } from "../../server/pipelines/deploy-passed.ts";
import { deployPassedTask } from "../../server/pipelines/tasks.ts";
import { sendReports } from "../../server/reports/send-reports.ts";
import { sendReportsTask } from "../../server/reports/tasks.ts";
import { eraseRecipients } from "../../server/privacy/tasks.ts";
import { deliverRecipientAction } from "../../server/sandbox/simulate-recipient.ts";
import { postRecipientAction } from "../../server/sandbox/tasks.ts";
import { expireApprovals } from "../../server/sending/expire-approvals.ts";
import { purgeExpiredKeys } from "../../server/sending/purge-expired-keys.ts";
import { deliverSimulatedCallback } from "../../server/sending/simulated-callbacks.ts";
import { resumeHeldMails, resumeHeldMessages } from "../../server/sending/resume-held.ts";
import { requeueLostNotifications } from "../../server/sending/sweep-notifications.ts";
import { postSimulatedCallback, resumeHeld, sweepNotifications } from "../../server/sending/tasks.ts";
import { resumeTemplateImports } from "../../server/template-files/go-on.ts";
import { purgeImports } from "../../server/template-files/purge-imports.ts";
import { importTemplates } from "../../server/template-files/tasks.ts";
import {
  recheckWhatsappApprovals,
  recheckWhatsappApprovalsTask,
} from "../../server/templates/recheck-whatsapp-approvals.ts";
import { announceHeads } from "../../server/webhooks/announce-heads.ts";
import { sweepWebhooks } from "../../server/webhooks/sweep-webhooks.ts";
import { taskFor } from "./parse-payload.ts";
import { runSteps } from "./run-steps.ts";

const cronPayload = z.object({}).loose();
export const purgeExpiredTask = defineTask("purge_expired", cronPayload);
export const purgeRetentionTask = defineTask("purge_retention", cronPayload);
export const sweepLongWorkTask = defineTask("sweep_long_work", cronPayload);
export const checkpointAuditTask = defineTask("checkpoint_audit", cronPayload);
export const verifyAuditTask = defineTask("verify_audit", cronPayload);
export const ensurePartitionsTask = defineTask("ensure_partitions", cronPayload);

/** Jobs of tenants other than messages, imports and exports of rows, callbacks of the sandbox's provider, and scheduled jobs. */
export function maintenanceTasks(deps: {
  db: Db;
  http: OutboundClient;
  log: Logger;
  publicUrl: string;
  onRequeued: (count: number) => void;
}): Record<"sandbox" | "tenants" | "imports" | "exports" | "replies" | "clock" | "longClock", TaskList> {
  const sandbox: TaskList = {
    [postSimulatedCallback.name]: taskFor(postSimulatedCallback, (payload) =>
      deliverSimulatedCallback(deps, payload),
    ),
    [postRecipientAction.name]: taskFor(postRecipientAction, (payload) =>
      deliverRecipientAction(deps, payload),
    ),
  };
  const tenants: TaskList = {
    [reportLinkProblemTask.name]: taskFor(reportLinkProblemTask, (payload) =>
      reportLinkProblem(deps, payload),
    ),
    [countContactGroup.name]: taskFor(countContactGroup, (payload) => countGroup(deps, payload)),
    // What imports need, an AI client among it, is loaded by the first of them.
    [importTemplates.name]: taskFor(importTemplates, async (payload) => {
      const { runImport } = await import("../../server/template-files/run-import.ts");
      await runImport(deps, payload);
    }),
    [eraseRecipients.name]: taskFor(eraseRecipients, (payload) => runErasure(deps, payload)),
  };
  const imports: TaskList = {
    [importRows.name]: taskFor(importRows, async (payload) => {
      const { runImport } = await import("../../server/imports/run-import.ts");
      await runImport(deps, payload);
    }),
  };
  const exports: TaskList = {
    [exportRows.name]: taskFor(exportRows, async (payload) => {
      const { runExport } = await import("../../server/exports/run-export.ts");
      await runExport(deps, payload);
    }),
  };
  const replies: TaskList = {
    [postWordReply.name]: taskFor(postWordReply, (payload) => sendWordReply(deps, payload)),
    [postConfirmation.name]: taskFor(postConfirmation, (payload) => sendConfirmation(deps, payload)),
  };
  const clock: TaskList = {
    [sweepNotifications.name]: taskFor(sweepNotifications, () => {
      const counts: number[] = [];
      return runSteps(deps.log, {
        approvals: () => expireApprovals(deps.db),
        notifications: async () => counts.push((await requeueLostNotifications(deps.db)).lost),
        webhooks: async () => counts.push(await sweepWebhooks({ db: deps.db })),
        report: async () => {
          const found = counts.reduce((sum, count) => sum + count, 0);
          deps.onRequeued(found);
          if (found > 0) deps.log.warn({ found }, "the sweep found what no job would have looked at");
          // Of half a sweep there is no report: that it is late tells of the other half.
          if (counts.length < 2) return;
          await deps.db.pool.query(
            `INSERT INTO sweep_reports AS r (at, found, total, found_at)
             VALUES (now(), $1::int, $1::int, CASE WHEN $1::int > 0 THEN now() END)
             ON CONFLICT (id) DO UPDATE SET at = now(), found = $1::int, total = r.total + $1::int, found_at = coalesce(excluded.found_at, r.found_at)`,
            [found],
          );
        },
      });
    }),
    [tellIncompleteTask.name]: taskFor(tellIncompleteTask, async () => {
      await tellIncomplete(deps, recordInbound);
    }),
    [resumeHeld.name]: taskFor(resumeHeld, () =>
      runSteps(deps.log, {
        messages: () => resumeHeldMessages(deps.db),
        mails: () => resumeHeldMails(deps.db),
      }),
    ),
    [judgeStandingsTask.name]: taskFor(judgeStandingsTask, async () => {
      await judgeStandings(deps.db);
    }),
    [deployPassedTask.name]: taskFor(deployPassedTask, async () => {
      await deployPassed(deps);
    }),
    [carryOutChannelRequestTask.name]: taskFor(carryOutChannelRequestTask, async (payload) => {
      await carryOutChannelRequest(deps, payload);
    }),
    [warnOfEndingKeysTask.name]: taskFor(warnOfEndingKeysTask, async () => {
      await warnOfEndingKeys(deps.db);
    }),
    [sendReportsTask.name]: taskFor(sendReportsTask, async () => {
      await sendReports(deps.db);
    }),
    [tellUnreadableTask.name]: taskFor(tellUnreadableTask, async () => {
      await tellUnreadablePolicies(deps.db);
    }),
    [judgeBudgetsTask.name]: taskFor(judgeBudgetsTask, async () => {
      await judgeBudgets(deps.db);
    }),
    [judgeObjectivesTask.name]: taskFor(judgeObjectivesTask, async () => {
      await judgeObjectives(deps.db);
    }),
    [sweepLongWorkTask.name]: taskFor(sweepLongWorkTask, () => {
      const resumed = (what: string, resume: () => Promise<number>) => async () => {
        const found = await resume();
        if (found > 0) deps.log.warn({ found }, `${what} had no job that would go on with them`);
      };
      return runSteps(deps.log, {
        imports: resumed("imports", () => resumeImports(deps)),
        templateImports: resumed("imports of template files", () => resumeTemplateImports(deps)),
        exports: resumed("exports", () => resumeExports(deps)),
        erasures: resumed("erasures", () => resumeErasures(deps)),
      });
    }),
    [checkpointAuditTask.name]: taskFor(checkpointAuditTask, async () => {
      await writeCheckpoint({
        db: deps.db,
        file: env().auditCheckpointFile,
        announce: (statements) => announceHeads(deps.db, statements),
      });
    }),
    [ensurePartitionsTask.name]: taskFor(ensurePartitionsTask, async () => {
      await deps.db.pool.query("SELECT ensure_partitions(3)");
    }),
  };
  /** Those that may work for minutes, or wait for others that long. */
  const longClock: TaskList = {
    [bookPricesTask.name]: taskFor(bookPricesTask, async () => {
      await bookListedPrices(deps);
    }),
    [checkSendersTask.name]: taskFor(checkSendersTask, async () => {
      await checkSenders(deps.db);
    }),
    [recheckWhatsappApprovalsTask.name]: taskFor(recheckWhatsappApprovalsTask, async () => {
      await recheckWhatsappApprovals(deps);
    }),
    [deleteOrganisationsTask.name]: taskFor(deleteOrganisationsTask, async () => {
      await deleteOrganisations(deps);
    }),
    [findUnusualTask.name]: taskFor(findUnusualTask, async () => {
      await findUnusual(deps.db);
    }),
    [purgeExpiredTask.name]: taskFor(purgeExpiredTask, () =>
      runSteps(deps.log, {
        keys: () => purgeExpiredKeys(deps.db),
        answers: () => purgeAnswers(deps.db),
        reviews: () => expireReviews(deps.db),
        templateImports: () => purgeImports(deps.db),
        imports: () => purgeRowImports(deps.db),
        exports: () => purgeExports(deps.db),
        links: () => purgeLinks(deps.db),
        audit: () => purgeAudit(deps.db),
      }),
    ),
    [purgeRetentionTask.name]: taskFor(purgeRetentionTask, async () => {
      await purgeRetention(deps);
    }),
    [verifyAuditTask.name]: taskFor(verifyAuditTask, async () => {
      await verifySlices(deps.db);
    }),
  };
  return { sandbox, tenants, imports, exports, replies, clock, longClock };
}
