"use client";

import { useQueries } from "@tanstack/react-query";
import type { TemplateSummary } from "../../server/templates/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { liveVersion } from "../send/live-templates.ts";
import { useTRPC } from "../trpc/client.tsx";
import { spread, unionOf } from "./broadcast-variables.ts";

/** So many texts are read; variants of one type mostly declare the same. */
const mostTexts = 50;

/** Each variable that one of these templates declares in the version that is live here. */
export function useBroadcastVariables(templates: readonly TemplateSummary[]) {
  const { environment } = usePortal();
  const trpc = useTRPC();
  const read = spread(templates).slice(0, mostTexts);
  const texts = useQueries({
    queries: read.map((each) =>
      trpc.templates.get.queryOptions({ id: each.id, version: liveVersion(each, environment.id) }),
    ),
  });
  const failed = texts.filter((text) => text.isError && !text.data);
  return {
    variables: unionOf(texts.flatMap((text) => (text.data ? [text.data.variables] : []))),
    /** Templates whose variables are not among them. */
    unread: templates.length - read.length,
    error: failed[0]?.error ?? null,
    refetch: () => Promise.all(failed.map((text) => text.refetch())),
  };
}
