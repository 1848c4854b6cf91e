import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { exportFiles } from "./export-files.ts";
import { listImports } from "./list-imports.ts";
import { planImport } from "./plan-import.ts";
import { getImport } from "./present-import.ts";
import { filesQuerySchema, importPlanSchema } from "./schemas.ts";
import { cancelImport, startImport } from "./start-import.ts";

const readable = procedure.meta({ permissions: ["templates:read"] });
const writable = procedure.meta({ permissions: ["templates:write"] });
const one = z.object({ id: z.uuid() });

/** Templates as files, for the portal. */
export const templateFilesRouter = router({
  export: readable.input(filesQuerySchema).query(({ ctx, input }) => exportFiles(ctx.tidings, input)),
  imports: readable.query(({ ctx }) => listImports(ctx.tidings)),
  get: readable.input(one).query(({ ctx, input }) => getImport(ctx.tidings, input)),
  plan: writable.input(importPlanSchema).mutation(({ ctx, input }) => planImport(ctx.tidings, input)),
  start: writable.input(one).mutation(({ ctx, input }) => startImport(ctx.tidings, input)),
  cancel: writable.input(one).mutation(({ ctx, input }) => cancelImport(ctx.tidings, input)),
});
