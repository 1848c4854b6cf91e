import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

export const warnOfEndingKeysTask = defineTask("warn_of_ending_keys", z.object({}).loose());
