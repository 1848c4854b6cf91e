import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Goes on with an import, its dry run or its run: some of its rows, then another job for the rest. */
export const importRows = defineTask("import_rows", z.object({ tenantId: z.uuid(), importId: z.uuid() }));
