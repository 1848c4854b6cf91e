import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

const cronPayload = z.object({}).loose();
export const judgeBudgetsTask = defineTask("judge_budgets", cronPayload);
export const findUnusualTask = defineTask("find_unusual_costs", cronPayload);
