import {
  dehydrate,
  hydrate,
  InfiniteQueryObserver,
  QueryClient,
  QueryObserver,
  skipToken,
} from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { transformer as serverTransformer } from "../../server/trpc/transformer.ts";
import { answersAreTaken, answerWhileDrawing, inScript, takeAnswers } from "./page-queries.tsx";
import { toWire, transformer } from "./transformer.ts";

describe("answers in a page", () => {
  it("cannot end their script, whatever tenants have stored", () => {
    const text = "</script><!--<script>\u2028\u2029";
    const script = inScript([{ text }]);
    expect(script).not.toMatch(/<|\u2028|\u2029/);
    expect(JSON.parse(script)).toEqual([{ text }]);
  });

  it("arrive as they would over HTTP: dates, and members that begin with $", () => {
    const output = { at: new Date(0), $date: "a member", list: [{ $$x: 1, none: null }] };
    const wire = JSON.parse(JSON.stringify(toWire(output))) as unknown;
    expect(wire).toEqual(JSON.parse(JSON.stringify(serverTransformer.output.serialize(output))));
    expect(transformer.deserialize(wire)).toEqual(output);
  });
});

describe("a page that is taken over", () => {
  /** As a script of the page brings it. */
  const bring = (page: Parameters<typeof answersAreTaken>[0] & object, key: string) => {
    const server = new QueryClient();
    server.setQueryData([key], 1);
    (page.__tidingsQueries ??= []).push(dehydrate(server, { serializeData: toWire }).queries);
  };
  const known = (client: QueryClient) =>
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey: [key] }) => key);

  it("has its answers again when React throws the first try away", () => {
    const page = {};
    const [thrownAway, kept] = [new QueryClient(), new QueryClient()];
    bring(page, "before");
    takeAnswers(thrownAway, page);
    bring(page, "during");
    takeAnswers(kept, page);
    bring(page, "after");
    expect(known(kept)).toEqual(["before", "during", "after"]);
  });

  it("tells them to no client that is made later, which may be another organisation's", () => {
    const page = {};
    const [own, later] = [new QueryClient(), new QueryClient()];
    bring(page, "before");
    takeAnswers(own, page);
    answersAreTaken(page);
    bring(page, "after");
    takeAnswers(later, page);
    expect(known(own)).toEqual(["before", "after"]);
    expect(known(later)).toEqual([]);
  });
});

describe("a list that came with the page", () => {
  it("is asked for again from its first page, without a cursor", async () => {
    const cursors: unknown[] = [];
    const options = {
      queryKey: ["list"],
      queryFn: ({ pageParam }: { pageParam: string | undefined }) => {
        cursors.push(pageParam);
        return Promise.resolve({ data: [1], nextCursor: null });
      },
      initialPageParam: undefined,
      getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
    };
    const server = new QueryClient();
    await server.infiniteQuery(options);
    const wire = JSON.stringify(dehydrate(server, { serializeData: toWire }));
    const browser = new QueryClient();
    const { deserialize } = transformer;
    hydrate(browser, JSON.parse(wire) as object, { defaultOptions: { deserializeData: deserialize } });
    await new InfiniteQueryObserver(browser, options).refetch();
    expect(cursors).toEqual([undefined, undefined]);
  });
});

describe("a query that is read while the server draws", () => {
  const options = { queryKey: ["a"], queryFn: () => Promise.resolve(1) };

  it("is waited for, unless it is switched off", () => {
    const client = answerWhileDrawing(new QueryClient());
    expect(client.defaultQueryOptions(options)).toMatchObject({ suspense: true });
    expect(client.defaultQueryOptions({ ...options, enabled: false })).toMatchObject({ suspense: false });
    expect(client.defaultQueryOptions({ ...options, queryFn: skipToken })).toMatchObject({ suspense: false });
  });

  it("that failed is left to the browser as if nobody had asked", async () => {
    const client = answerWhileDrawing(new QueryClient());
    const failing = { queryKey: ["b"], queryFn: () => Promise.reject(new Error("down")) };
    await client.query(failing).catch(() => undefined);
    const full = client.defaultQueryOptions(failing);
    expect(full).toMatchObject({ suspense: false });
    expect(new QueryObserver(client, full).getOptimisticResult(full).status).toBe("pending");
  });
});
