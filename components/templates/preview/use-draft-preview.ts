"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import type { AppRouter } from "../../../server/trpc/root.ts";
import { useTRPC } from "../../trpc/client.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { useSettled } from "../../ui/use-settled.ts";
import { contentOf, type Draft } from "../draft.ts";
import { useSampleSettings, useUsualPlace } from "./use-sample-values.ts";

export type Preview = inferRouterOutputs<AppRouter>["templates"]["preview"];

const pause = 350;

/**
 * The draft as the server renders it, some hundred milliseconds behind the writing. The last message that could be
 * rendered stays while the text is broken or the next answer is on its way. All who ask for the same draft share one
 * request.
 */
export function useDraftPreview(draft: Draft, templateId: string | undefined) {
  const trpc = useTRPC();
  const { settings } = useSampleSettings(templateId);
  const usual = useUsualPlace(draft);
  const content = contentOf(draft);
  const variables = content.variables.filter(
    // Half-written declarations would refuse the whole preview; saving complains about them.
    (variable, index, all) =>
      /^[A-Za-z][A-Za-z0-9_]*$/.test(variable.name) &&
      all.findIndex((each) => each.name === variable.name) === index,
  );
  const place = (name: "language" | "region", pattern: RegExp) => {
    const value = settings[name] === "" ? usual[name] : settings[name];
    return pattern.test(value) ? value : undefined;
  };
  const [notificationType = "", notificationSubtype = ""] = draft.kind.split("/");
  const wanted = JSON.stringify({
    // What it is for decides which connection would carry it, and so what it costs.
    ...(draft.application === "" || draft.kind === ""
      ? {}
      : { application: draft.application, notificationType, notificationSubtype }),
    ...content,
    subject: content.subject === "" ? null : content.subject,
    variables,
    channel: draft.channel,
    values: Object.fromEntries(
      Object.entries(settings.values).filter(([name]) => variables.some((each) => each.name === name)),
    ),
    language: place("language", /^[a-z]{2}$/),
    region: place("region", /^[A-Z]{2}$/),
  });
  const settled = useSettled(wanted, pause);

  // A page does not wait for it: an e-mail takes longer to render than the page to draw.
  const hydrated = useHydrated();
  const empty = draft.body.trim() === "";
  const input = JSON.parse(settled) as ReturnType<typeof contentOf> & { channel: Draft["channel"] };
  const query = useQuery(
    trpc.templates.preview.queryOptions(input, {
      // Right after the first letter the settled text is still the empty one.
      enabled: hydrated && !empty && input.body.trim() !== "",
      placeholderData: keepPreviousData,
      retry: false,
      staleTime: 60_000,
    }),
  );
  const answer = query.data;
  const [lastGood, setLastGood] = useState<{ answer: Preview; body: string } | null>(null);
  if (answer?.message && !query.isPlaceholderData && answer !== lastGood?.answer) {
    setLastGood({ answer, body: input.body });
  }
  const shown = lastGood?.answer.message?.channel === draft.channel ? lastGood : null;

  return {
    /** Nothing is written yet. */
    empty,
    /** The newest answer: problems and findings of the text as it is. */
    answer,
    /** The newest answer that has a message. */
    shown: shown?.answer ?? null,
    /** The text that `shown` was made of. */
    shownBody: shown?.body ?? "",
    /** `shown` is older than the text, because the text cannot be rendered or could not be asked about. */
    outdated: query.isError || answer?.message === null,
    updating: query.isFetching || wanted !== settled || (!empty && query.isPending),
    error: query.isError ? query.error : null,
    retry: () => void query.refetch(),
  };
}
