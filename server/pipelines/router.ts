import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { approvePromotion } from "./approve-promotion.ts";
import { createPromotion } from "./create-promotion.ts";
import { confirmPipelineChange, withdrawPipelineChange } from "./decide-pipeline-change.ts";
import { deployPromotion } from "./deploy-promotion.ts";
import { getBoard } from "./get-board.ts";
import { getPromotion } from "./get-promotion.ts";
import { listPipelines } from "./list-pipelines.ts";
import { listPromotions } from "./list-promotions.ts";
import { rejectPromotion } from "./reject-promotion.ts";
import { rollBackPromotion } from "./roll-back-promotion.ts";
import {
  boardQuerySchema,
  pipelineDecisionSchema,
  pipelineUpdateSchema,
  promotionCreateSchema,
  promotionDecisionSchema,
  promotionListQuerySchema,
  promotionRollbackSchema,
} from "./schemas.ts";
import { updatePipeline } from "./update-pipeline.ts";

const readable = procedure.meta({ permissions: ["templates:read"] });
const requests = procedure.meta({ permissions: ["promotions:request"] });
const approves = procedure.meta({ permissions: ["promotions:approve"] });
const one = z.object({ id: z.uuid() });

/** The stages of applications, and what each of them has. */
export const pipelinesRouter = router({
  list: readable.query(({ ctx }) => listPipelines(ctx.tidings)),
  board: readable.input(boardQuerySchema).query(({ ctx, input }) => getBoard(ctx.tidings, input)),
  update: procedure
    .meta({ permissions: ["pipelines:manage"] })
    .input(pipelineUpdateSchema)
    .mutation(({ ctx, input }) => updatePipeline(ctx.tidings, input)),
  /** What loosens a pipeline waits for a second person. */
  confirm: procedure
    .meta({ permissions: ["pipelines:manage"] })
    .input(pipelineDecisionSchema)
    .mutation(({ ctx, input }) => confirmPipelineChange(ctx.tidings, input)),
  withdraw: procedure
    .meta({ permissions: ["pipelines:manage"] })
    .input(pipelineDecisionSchema)
    .mutation(({ ctx, input }) => withdrawPipelineChange(ctx.tidings, input)),
});

/** Moves of versions from stage to stage. Who requested one may also withdraw (reject) and deploy it. */
export const promotionsRouter = router({
  list: readable
    .input(promotionListQuerySchema)
    .query(({ ctx, input }) => listPromotions(ctx.tidings, input)),
  get: readable.input(one).query(({ ctx, input }) => getPromotion(ctx.tidings, input)),
  create: requests
    .input(promotionCreateSchema)
    .mutation(({ ctx, input }) => createPromotion(ctx.tidings, input)),
  approve: approves
    .input(promotionDecisionSchema.extend(one.shape))
    .mutation(({ ctx, input }) => approvePromotion(ctx.tidings, input)),
  reject: approves
    .input(promotionDecisionSchema.extend(one.shape))
    .mutation(({ ctx, input }) => rejectPromotion(ctx.tidings, input)),
  deploy: approves.input(one).mutation(({ ctx, input }) => deployPromotion(ctx.tidings, input)),
  rollBack: approves
    .input(promotionRollbackSchema.extend(one.shape))
    .mutation(({ ctx, input }) => rollBackPromotion(ctx.tidings, input)),
});
