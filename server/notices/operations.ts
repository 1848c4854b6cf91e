import { mutation, query } from "../operations/operation.ts";
import { countOwnUnread, listOwnNotices, markOwnRead } from "./own-notices.ts";
import { noticeListSchema, noticeReadSchema } from "./schemas.ts";

const permission = "session";

/** Notices for the signed-in person. */
export const noticeOperations = {
  list: query({ permission, input: noticeListSchema, run: listOwnNotices }),
  /** 100 means that many or more. */
  unread: query({ permission, run: countOwnUnread }),
  markRead: mutation({ permission, input: noticeReadSchema, run: markOwnRead }),
};
