import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Of one job, which take some ten minutes together; then the import ends. */
const maxAttempts = 7;

/** Continues an import: some of its templates, then another job for the rest. */
export const importTemplates = defineTask(
  "import_templates",
  z.object({ tenantId: z.uuid(), importId: z.uuid() }),
  { maxAttempts },
);
