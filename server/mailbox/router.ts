import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { listMail, readMail } from "./read-mailbox.ts";

export const mailboxRouter = router({
  list: procedure.meta({ permission: "content:reveal" }).query(({ ctx }) => listMail(ctx.tidings)),
  read: procedure
    .meta({ permission: "content:reveal" })
    .input(z.object({ id: z.string().min(1).max(128) }))
    .query(({ ctx, input }) => readMail(ctx.tidings, input)),
});
