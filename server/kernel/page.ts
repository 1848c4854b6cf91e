/** Lists that are read page by page. Safe in the browser. */
import { z } from "zod";

/** What asks for a page: how long it is, and `nextCursor` of the page before. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
};

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), nextCursor: z.string().nullable() });
