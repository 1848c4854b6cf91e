"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import type { FilterChoices } from "./message-filters.tsx";

/** Templates, connections and types to filter by, as far as the reader may know them. */
export function useFilterChoices(): FilterChoices {
  const { can } = usePortal();
  const trpc = useTRPC();
  const hold = { staleTime: 60_000 };
  const providers = useQuery(
    trpc.providers.list.queryOptions(undefined, { ...hold, enabled: can("providers:read") }),
  );
  const types = useQuery(trpc.tenancy.notificationTypes.queryOptions(undefined, hold));
  const templates = useQuery(
    trpc.templates.list.queryOptions({ limit: 200 }, { ...hold, enabled: can("templates:read") }),
  );
  // Of more than a page, those that have the words are asked for.
  const [sought, setSought] = useState("");
  const seeks = Boolean(templates.data?.nextCursor) && sought !== "";
  const found = useQuery(
    trpc.templates.list.queryOptions(
      { limit: 200, search: sought.slice(0, 200) },
      { ...hold, enabled: seeks, placeholderData: keepPreviousData },
    ),
  );
  const shown = (seeks ? found.data : undefined) ?? templates.data;
  return {
    providers: (providers.data?.data ?? []).map(({ id, name }) => ({ id, name })),
    types: (types.data?.data ?? []).map((each) => each.type),
    templates: [...new Set((shown?.data ?? []).map((each) => each.name))].toSorted(),
    templateSearch: templates.data?.nextCursor
      ? { value: sought, onChange: setSought, pending: found.isFetching, placeholder: "Find template…" }
      : undefined,
  };
}
