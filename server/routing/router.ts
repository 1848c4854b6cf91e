import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { createRule } from "./create-rule.ts";
import { deleteRule } from "./delete-rule.ts";
import { dryRun } from "./dry-run.ts";
import { listRevisions } from "./list-revisions.ts";
import { listRules } from "./list-rules.ts";
import { reorderRules } from "./reorder-rules.ts";
import { replaceRules } from "./replace-rules.ts";
import { revertRules } from "./revert-rules.ts";
import { routingMatrix } from "./routing-matrix.ts";
import { ruleChoices } from "./rule-choices.ts";
import {
  changeSchema,
  dryRunSchema,
  reorderSchema,
  revertSchema,
  revisionListQuerySchema,
  routingMatrixQuerySchema,
  ruleChangeSchema,
  ruleSetSchema,
  unroutableQuerySchema,
} from "./schemas.ts";
import { unroutable } from "./unroutable.ts";
import { updateRule } from "./update-rule.ts";

const read = procedure.meta({ permissions: ["providers:read"] });
const managed = procedure.meta({ permissions: ["routing:manage"] });
const environment = z.object({ environmentId: z.uuid() });
const one = environment.extend({ id: z.uuid() });

/** Routing rules, their history and what follows from them, for the portal. */
export const routingRouter = router({
  rules: read.input(environment).query(({ ctx, input }) => listRules(ctx.tidings, input)),
  choices: read.input(environment).query(({ ctx, input }) => ruleChoices(ctx.tidings, input)),
  create: managed
    .input(ruleChangeSchema.extend(environment.shape))
    .mutation(({ ctx, input }) => createRule(ctx.tidings, input)),
  update: managed
    .input(ruleChangeSchema.extend(one.shape))
    .mutation(({ ctx, input }) => updateRule(ctx.tidings, input)),
  delete: managed
    .input(changeSchema.extend(one.shape))
    .mutation(({ ctx, input }) => deleteRule(ctx.tidings, input)),
  reorder: managed
    .input(reorderSchema.extend(environment.shape))
    .mutation(({ ctx, input }) => reorderRules(ctx.tidings, input)),
  replace: managed
    .input(ruleSetSchema.extend(environment.shape))
    .mutation(({ ctx, input }) => replaceRules(ctx.tidings, input)),
  revisions: read
    .input(revisionListQuerySchema.extend(environment.shape))
    .query(({ ctx, input }) => listRevisions(ctx.tidings, input)),
  revert: managed
    .input(revertSchema.extend(environment.shape).extend({ number: z.int().min(0) }))
    .mutation(({ ctx, input }) => revertRules(ctx.tidings, input)),
  dryRun: read
    .input(dryRunSchema.extend(environment.shape))
    .query(({ ctx, input }) => dryRun(ctx.tidings, input)),
  matrix: read.input(routingMatrixQuerySchema).query(({ ctx, input }) => routingMatrix(ctx.tidings, input)),
  unroutable: read.input(unroutableQuerySchema).query(({ ctx, input }) => unroutable(ctx.tidings, input)),
});
