"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Contact } from "../../server/contacts/schemas.ts";
import { LoadMore } from "../data-table/load-more.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { AllDone } from "../ui/empty-state.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { titleOf } from "./contact-words.ts";

const MergeDialog = dynamic(() => import("./merge-dialog.tsx").then((module) => module.MergeDialog));

/** Contacts that may be the same person. */
export function DuplicatesPage() {
  const { can, canIn, href } = usePortal();
  const trpc = useTRPC();
  const [merging, setMerging] = useState<readonly [Contact, Contact] | null>(null);
  const query = useInfiniteQuery(
    trpc.contacts.duplicates.infiniteQueryOptions({}, { getNextPageParam: (page) => page.nextCursor }),
  );
  const pairs = query.data?.pages.flatMap((page) => page.data);
  const revealed = canIn("content:reveal", null);
  return (
    <PageFrame>
      <PageHeader
        title="Possible duplicates"
        description="Contacts with the same name. Merge those that are the same person."
        back={{ href: href("/contacts"), label: "Contacts" }}
        environmentScoped={false}
      />
      <Card>
        {query.isError && !pairs ? (
          <QueryFailed what="duplicates" query={query} />
        ) : !pairs ? (
          <div className="grid gap-4 px-4 py-4" aria-busy>
            <Skeleton className="w-64" />
            <Skeleton className="w-48" />
            <Skeleton className="w-56" />
          </div>
        ) : pairs.length === 0 && !query.hasNextPage ? (
          <AllDone title="No possible duplicates" />
        ) : (
          <ul aria-label="Possible duplicates" className="divide-y divide-line">
            {pairs.map(([one, other]) => (
              <li
                key={`${one.id} ${other.id}`}
                className="flex flex-wrap items-center gap-3 px-4 py-3 text-sm"
              >
                <span className="grid min-w-0 flex-1 basis-60 gap-1">
                  <span className="truncate font-medium">{titleOf(one)}</span>
                  {[one, other].map((contact) => (
                    <MaskedValue
                      key={contact.id}
                      value={detailsOf(contact)}
                      masked={!revealed}
                      className="block truncate text-ink-muted"
                    />
                  ))}
                </span>
                {can("contacts:write") && revealed ? (
                  <Button size="sm" onClick={() => setMerging([one, other])}>
                    Merge
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
        <LoadMore query={query}>Search further</LoadMore>
      </Card>
      {merging ? <MergeDialog pair={merging} onClose={() => setMerging(null)} /> : null}
    </PageFrame>
  );
}

const detailsOf = ({ externalId, region, addresses }: Contact) =>
  [externalId, region, ...addresses.map(({ address }) => address)].filter(Boolean).join(", ") ||
  "No other details";
