import {
  dehydrate,
  hydrate,
  InfiniteQueryObserver,
  QueryClient,
  QueryObserver,
  skipToken,
} from "@tanstack/react-query";
import { createTRPCClient } from "@trpc/client";
import { describe, expect, it } from "vitest";
import type { AppRouter } from "../../server/trpc/root.ts";
import { transformer as serverTransformer } from "../../server/trpc/transformer.ts";
import { createQueryClient, statusOf } from "./client.tsx";
import { errorText } from "./error-text.ts";
import {
  answersAreTaken,
  answerWhileDrawing,
  inScript,
  pageLink,
  takeAnswers,
  writable,
} from "./page-queries.tsx";
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

  const refusal = (code: string, httpStatus: number) => ({
    error: { code: -32004, message: "No such group.", data: { code, httpStatus } },
  });
  /** What a page's browser knows of a query that the server answered so. */
  async function drawn(answer: { error: object }) {
    const server = answerWhileDrawing(new QueryClient());
    const calls = createTRPCClient<AppRouter>({
      links: [pageLink(() => Promise.resolve(answer), Date.now() + 5_000)],
    });
    const asked = { queryKey: ["group"], queryFn: () => calls.contactGroups.get.query({ id: "gone" }) };
    await server.query(asked).catch(() => undefined);
    const there = server.defaultQueryOptions(asked);
    const onServer = new QueryObserver(server, there).getOptimisticResult(there);
    const page = {
      __tidingsQueries: [JSON.parse(inScript(writable(server))) as ReturnType<typeof writable>],
    };
    const browser = createQueryClient(() => undefined, 10_000);
    takeAnswers(browser, page);
    const here = { ...browser.defaultQueryOptions(asked), _optimisticResults: "optimistic" as const };
    return { onServer, there, inBrowser: new QueryObserver(browser, here).getOptimisticResult(here) };
  }

  it("that was refused comes with the page like an answer: the browser draws the same and does not ask again", async () => {
    for (const [code, status] of [
      ["not_found", 404],
      ["permission_denied", 403],
    ] as const) {
      const { onServer, there, inBrowser } = await drawn(refusal(code, status));
      expect(there).toMatchObject({ suspense: false });
      for (const result of [onServer, inBrowser]) {
        expect(result).toMatchObject({ status: "error", fetchStatus: "idle" });
        expect(statusOf(result.error)).toBe(status);
        expect(errorText(result.error)).toBe("No such group.");
      }
    }
  });

  it("that failed otherwise is asked again by the browser", async () => {
    for (const [code, status] of [
      ["service_overloaded", 503],
      ["unauthenticated", 401],
    ] as const) {
      const { onServer, inBrowser } = await drawn(refusal(code, status));
      for (const result of [onServer, inBrowser]) expect(result).toMatchObject({ status: "pending" });
    }
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
