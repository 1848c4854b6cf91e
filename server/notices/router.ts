import { procedure, router } from "../trpc/init.ts";
import { countOwnUnread, listOwnNotices, markOwnRead } from "./own-notices.ts";
import { noticeListSchema, noticeReadSchema } from "./schemas.ts";

const own = procedure.meta({ permissions: [] });

/** What the signed-in person should know of. */
export const noticesRouter = router({
  list: own.input(noticeListSchema).query(({ ctx, input }) => listOwnNotices(ctx.tidings, input)),
  /** 100 stands for that many or more. */
  unread: own.query(({ ctx }) => countOwnUnread(ctx.tidings)),
  markRead: own.input(noticeReadSchema).mutation(({ ctx, input }) => markOwnRead(ctx.tidings, input)),
});
