/** One page of a list. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
}

/** A list that has not been asked for yet: await it for its first page, or iterate over the items of all pages. */
export interface Paged<Item, OnePage> extends PromiseLike<OnePage>, AsyncIterable<Item> {
  /** Page by page. */
  pages: () => AsyncIterableIterator<OnePage>;
  /** All items, or the first `limit`. */
  toArray: (options?: { limit?: number }) => Promise<Item[]>;
}

/**
 * @param fetchPage the page after a cursor; the first one without
 */
export function paged<Item, OnePage extends { nextCursor: string | null; hasMore?: boolean }>(
  fetchPage: (cursor: string | undefined) => Promise<OnePage>,
  itemsOf: (page: OnePage) => Item[],
): Paged<Item, OnePage> {
  async function* pages(): AsyncIterableIterator<OnePage> {
    let cursor: string | undefined;
    for (;;) {
      const page = await fetchPage(cursor);
      yield page;
      // The same cursor again would never end.
      if (page.nextCursor == null || page.nextCursor === cursor || page.hasMore === false) return;
      cursor = page.nextCursor;
    }
  }
  async function* items(): AsyncIterableIterator<Item> {
    for await (const page of pages()) yield* itemsOf(page);
  }
  return {
    then: (resolve, reject) => fetchPage(undefined).then(resolve, reject),
    [Symbol.asyncIterator]: items,
    pages,
    toArray: async ({ limit = Number.POSITIVE_INFINITY } = {}) => {
      const all: Item[] = [];
      if (limit <= 0) return all;
      for await (const item of items()) if (all.push(item) >= limit) break;
      return all;
    },
  };
}
