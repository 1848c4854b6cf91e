import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { getShortener, listShorteners } from "./get-shorteners.ts";
import { shortenerTestSchema, shortenerUpdateSchema } from "./schemas.ts";
import { testShortener } from "./test-shortener.ts";
import { updateShortener } from "./update-shortener.ts";

const environment = z.string().min(1).max(128);
const permission = "settings:manage";

export const linksRouter = router({
  shorteners: procedure.meta({ permissions: [permission] }).query(({ ctx }) => listShorteners(ctx.tidings)),
  shortener: procedure
    .meta({ permissions: [permission] })
    .input(z.object({ environment }))
    .query(({ ctx, input }) => getShortener(ctx.tidings, input)),
  updateShortener: procedure
    .meta({ permissions: [permission] })
    .input(shortenerUpdateSchema.extend({ environment }))
    .mutation(({ ctx, input }) => updateShortener(ctx.tidings, input)),
  testShortener: procedure
    .meta({ permissions: [permission] })
    .input(shortenerTestSchema.extend({ environment }))
    .mutation(({ ctx, input }) => testShortener(ctx.tidings, input)),
});
