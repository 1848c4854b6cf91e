import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Of one job, which take some ten minutes together; then the export fails. */
const maxAttempts = 7;

/** Goes on with an export: some of its rows, then another job for the rest. */
export const exportRows = defineTask("export_rows", z.object({ tenantId: z.uuid(), exportId: z.uuid() }), {
  maxAttempts,
});
