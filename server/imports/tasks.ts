import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Of one job, which take some ten minutes together; then the import fails. */
const maxAttempts = 7;

/** Goes on with an import, its dry run or its run: some of its rows, then another job for the rest. */
export const importRows = defineTask("import_rows", z.object({ tenantId: z.uuid(), importId: z.uuid() }), {
  maxAttempts,
});
