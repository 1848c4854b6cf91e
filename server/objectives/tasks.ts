import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

export const judgeObjectivesTask = defineTask("judge_objectives", z.object({}).loose());
