"use client";

import {
  dehydrate,
  hydrate,
  type DehydratedState,
  type Query,
  type QueryClient,
  skipToken,
} from "@tanstack/react-query";
import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { useServerInsertedHTML } from "next/navigation";
import { useEffect, useState } from "react";
import type { AppRouter } from "../../server/trpc/root.ts";
import type { PageRequest } from "../../server/kernel/page-request.ts";
import { isRefused } from "./error-text.ts";
import { toWire, transformer } from "./transformer.ts";

/*
 * The first data of a page comes with the page. While the server draws it, queries are answered in the same process: a component that
 * reads one waits for it, as for any promise under Suspense, and is drawn with its data. What was answered goes to the browser in
 * front of the markup that shows it, so that hydration finds the same; so is what was refused. What takes too long or fails otherwise is
 * left to the browser.
 */

type Queries = DehydratedState["queries"];

const queueName = "__tidingsQueries";

/**
 * Answers queries from the procedures themselves.
 * @param late from when on the page waits for none of them, in milliseconds since 1970
 */
export function pageLink(call: NonNullable<PageRequest["call"]>, late: number): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const timer = setTimeout(
          () => observer.error(TRPCClientError.from(new Error("The page waits no longer."))),
          Math.max(0, late - Date.now()),
        );
        call(op.path, op.input)
          .then((answer) => {
            if ("error" in answer) {
              observer.error(errorOf(answer.error));
              return;
            }
            observer.next({ result: { type: "data", data: transformer.deserialize(answer.data) } });
            observer.complete();
          })
          .catch((error: unknown) => observer.error(TRPCClientError.from(error as Error)))
          .finally(() => clearTimeout(timer));
      });
}

/** As the client makes it of what a procedure answers over HTTP. */
const errorOf = (shape: object) => TRPCClientError.from<AppRouter>({ error: transformer.deserialize(shape) });

/** Makes every query that is read while the server draws wait for its answer. */
export function answerWhileDrawing(client: QueryClient): QueryClient {
  const left = new Set<string>();
  const complete = client.defaultQueryOptions.bind(client);
  client.defaultQueryOptions = ((options: Parameters<typeof complete>[0]) => {
    const full = complete(options);
    const query = client.getQueryCache().get(full.queryHash);
    const refused = isRefused(query?.state.error);
    if (query?.state.status === "error" && !refused) {
      // The browser knows nothing of this failure and asks itself: until then it is as if nobody had.
      client.getQueryCache().remove(query);
      left.add(full.queryHash);
    }
    const asked = full.enabled === undefined || full.enabled === true;
    // Trying again is the browser's matter, too.
    full.retry = false;
    full.suspense = asked && full.queryFn !== skipToken && !left.has(full.queryHash) && !refused;
    if (refused) full.retryOnMount = false;
    return full;
  }) as typeof complete;
  return client;
}

/** Where a page keeps what was answered: a list that its scripts begin, then who takes what they bring. */
interface AnsweredPage {
  [queueName]?: Queries[] | Taker;
}
interface Taker {
  push: (queries: Queries) => void;
  told: Queries[] | null;
}

/**
 * Takes what the server answered, also what is still to come in this page. React may throw away a first try at taking a page over,
 * and its client with it, so the next one is told all of it again, until `answersAreTaken`.
 */
export function takeAnswers(client: QueryClient, page = window as AnsweredPage): void {
  const before = page[queueName] ?? [];
  const told = before instanceof Array ? before : before.told;
  const take = (queries: Queries) => {
    // By this browser's clock, whatever the server's says: they are as old as the page.
    const now = Date.now();
    const fresh = queries.map(({ state, ...query }) => {
      const told = state.error
        ? { ...state, error: errorOf(state.error), errorUpdatedAt: now }
        : { ...state, dataUpdatedAt: now };
      return { ...query, state: told };
    });
    hydrate(
      client,
      { mutations: [], queries: fresh },
      { defaultOptions: { deserializeData: transformer.deserialize } },
    );
  };
  const taker: Taker = {
    told,
    push(queries) {
      taker.told?.push(queries);
      take(queries);
    },
  };
  page[queueName] = taker;
  told?.forEach(take);
}

/** The page is taken over: a client that is made from now on is another page's, maybe of another organisation, and is told nothing. */
export function answersAreTaken(page = window as AnsweredPage): void {
  const queue = page[queueName];
  if (queue && !(queue instanceof Array)) queue.told = null;
}

/** Writes into the page what was answered since it last did. Draws nothing. */
export function PageAnswers({ client, nonce }: { client: QueryClient; nonce: string | undefined }) {
  const [written] = useState(() => new Set<string>());
  useEffect(() => {
    answersAreTaken();
  }, []);
  useServerInsertedHTML(() => {
    const queries = writable(client, written);
    if (queries.length === 0) return null;
    for (const { queryHash } of queries) written.add(queryHash);
    const __html = `(self.${queueName}??=[]).push(${inScript(queries)})`;
    return <script nonce={nonce} dangerouslySetInnerHTML={{ __html }} />;
  });
  return null;
}

/** What was answered or refused, for JSON; without what was `written` before. */
export function writable(client: QueryClient, written?: ReadonlySet<string>): Queries {
  const fresh = ({ state, queryHash }: Query) =>
    (state.status === "success" || isRefused(state.error)) && !written?.has(queryHash);
  const { queries } = dehydrate(client, { shouldDehydrateQuery: fresh, serializeData: toWire });
  return queries.map(({ state, ...query }) => {
    const shape = state.error instanceof TRPCClientError ? (toWire(state.error.shape) as Error) : null;
    return { ...query, state: { ...state, error: shape, fetchFailureReason: null } };
  });
}

/** JSON that can stand in a script: nothing in it can end the script or begin a comment. */
export function inScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
