import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

export const sendReportsTask = defineTask("send_reports", z.object({}).loose());
