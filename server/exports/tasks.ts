import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Goes on with an export: some of its rows, then another job for the rest. */
export const exportRows = defineTask("export_rows", z.object({ tenantId: z.uuid(), exportId: z.uuid() }));
