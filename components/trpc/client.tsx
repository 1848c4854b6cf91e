"use client";

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  splitLink,
  TRPCClientError,
} from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { useCallback, useState, type ReactNode } from "react";
import { pageRequest } from "../../server/kernel/page-request.ts";
import type { AppRouter } from "../../server/trpc/root.ts";
import { holdsWork } from "../ui/leaving.ts";
import { attendance } from "./at-work.ts";
import { errorCode, isRefused } from "./error-text.ts";
import { fitsAddress, maxAddress } from "./fits-address.ts";
import { answerWhileDrawing, PageAnswers, pageLink, takeAnswers } from "./page-queries.tsx";
import { SessionEnded, type SessionEnd } from "./session-ended.tsx";
import { maxBatchSize, transformer } from "./transformer.ts";

const url = "/api/trpc";
const context = createTRPCContext<AppRouter>();
export const useTRPC = context.useTRPC;
/** For answers that come in pieces, which no query or mutation hook reads. */
export const useTRPCClient = context.useTRPCClient;

/** HTTP status of a failed procedure, or undefined when the request never got an answer. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const data = error.data as { httpStatus?: number } | null | undefined;
  return data?.httpStatus;
}

/** Whether the session is over, or the organisation asks for a second factor since a moment ago. */
function endOf(error: unknown): SessionEnd | null {
  if (errorCode(error) === "second_factor_missing") return "second factor";
  return statusOf(error) === 401 ? "session" : null;
}

/**
 * @param onEnd is told when nothing answers the reader any more and the page holds what would be lost with it
 * @param staleTime how long an answer counts as new, milliseconds
 */
export function createQueryClient(onEnd: (end: SessionEnd) => void, staleTime: number): QueryClient {
  function onError(error: unknown) {
    const end = endOf(error);
    if (end === null || typeof window === "undefined") return;
    // What takes the place of every page comes from the server: the sign-in, which leads back here, or setting up the factor.
    if (holdsWork()) onEnd(end);
    else window.location.reload();
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime,
        refetchOnWindowFocus: true,
        // What the service refused on purpose will be refused again.
        retry: (count, error) => count < 2 && (statusOf(error) ?? 500) >= 500,
        // One that came refused with the page stands in it like an answer.
        retryOnMount: ({ state }) => !isRefused(state.error) || Date.now() - state.errorUpdatedAt > staleTime,
      },
      // Without a network it fails at once: done when there is one again, it could come long after the reader had given it up.
      mutations: { networkMode: "always" },
    },
  });
}

/**
 * @param organisation short name of the one that the page is of: the browser may be signed in to several
 * @param person whose page it is: it works for nobody else who signs in in this browser
 * @param nonce with which the page's scripts may run
 */
export function ApiProvider({
  organisation,
  person,
  nonce,
  children,
}: {
  organisation: string;
  person: { id: string; email: string };
  nonce?: string | undefined;
  children: ReactNode;
}) {
  const [end, setEnd] = useState<SessionEnd | null>(null);
  const [queryClient] = useState(() => {
    const client = createQueryClient(setEnd, 10_000);
    if (pageRequest()?.call) answerWhileDrawing(client);
    if (typeof window !== "undefined") takeAnswers(client);
    return client;
  });
  const [trpcClient] = useState(() => {
    const drawing = pageRequest();
    if (drawing?.call) {
      return createTRPCClient<AppRouter>({ links: [pageLink(drawing.call, drawing.waitsUntil)] });
    }
    const headers = () => ({
      "x-tidings-organisation": organisation,
      "x-tidings-person": person.id,
      ...attendance(),
    });
    return createTRPCClient<AppRouter>({
      links: [
        splitLink({
          // Answers that come in pieces.
          condition: ({ path }) => path.startsWith("drafting."),
          true: httpBatchStreamLink({ url, headers, transformer, maxItems: maxBatchSize }),
          false: splitLink({
            // A whole text or rule does not fit into an address, nor do the values of a message or many groups.
            condition: ({ path, type, input }) =>
              path === "templates.preview" ||
              path === "routing.dryRun" ||
              (type === "query" && !fitsAddress(input)),
            true: httpLink({ url, headers, transformer, methodOverride: "POST" }),
            false: httpBatchLink({
              ...{ url, headers, transformer },
              maxURLLength: maxAddress,
              maxItems: maxBatchSize,
            }),
          }),
        }),
      ],
    });
  });
  const goOn = useCallback(() => setEnd(null), []);
  return (
    <QueryClientProvider client={queryClient}>
      <context.TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <PageAnswers client={queryClient} nonce={nonce} />
        {children}
        {end ? (
          <SessionEnded
            end={end}
            email={person.email}
            ask={() => trpcClient.notifications.sendingHold.query()}
            onBack={goOn}
          />
        ) : null}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}
