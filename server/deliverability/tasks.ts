import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Compares bounce and complaint rates with the thresholds; run by the clock. */
export const judgeStandingsTask = defineTask("judge_mail_standings", z.object({}).loose());

/** Looks SPF, DKIM and DMARC of sender domains up again; run by the clock. */
export const checkSendersTask = defineTask("check_sender_domains", z.object({}).loose());
