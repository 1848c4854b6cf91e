import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Carries on with an import: a slice of its templates, then another job for the rest. */
export const importTemplates = defineTask(
  "import_templates",
  z.object({ tenantId: z.uuid(), importId: z.uuid() }),
);
