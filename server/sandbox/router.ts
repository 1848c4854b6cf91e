import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { listMail, readMail } from "./read-mailbox.ts";
import { sandboxActionSchema } from "./schemas.ts";
import { simulateRecipient } from "./simulate-recipient.ts";

export const sandboxRouter = router({
  act: procedure
    .meta({ permissions: ["notifications:send"] })
    .input(z.object({ id: z.string().max(64), action: sandboxActionSchema }))
    .mutation(({ ctx, input }) => simulateRecipient(ctx.tidings, { ...input.action, id: input.id })),
});

export const mailboxRouter = router({
  list: procedure.meta({ permissions: ["content:reveal"] }).query(({ ctx }) => listMail(ctx.tidings)),
  read: procedure
    .meta({ permissions: ["content:reveal"] })
    .input(z.object({ id: z.string().min(1).max(128) }))
    .query(({ ctx, input }) => readMail(ctx.tidings, input)),
});
