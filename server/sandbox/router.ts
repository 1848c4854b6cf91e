import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { sandboxActionSchema } from "./schemas.ts";
import { simulateRecipient } from "./simulate-recipient.ts";

export const sandboxRouter = router({
  act: procedure
    .meta({ permission: "notifications:send" })
    .input(z.object({ id: z.string().max(64), action: sandboxActionSchema }))
    .mutation(({ ctx, input }) => simulateRecipient(ctx.tidings, { ...input.action, id: input.id })),
});
