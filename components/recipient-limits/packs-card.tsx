"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LimitsPack, QuietRule } from "../../server/recipient-limits/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { quietSentence } from "./limit-words.ts";

/** Rules that may hold somewhere, to be reviewed and copied. */
export function PacksCard({
  rules,
  onAdd,
}: {
  rules: readonly QuietRule[];
  onAdd: (rules: readonly QuietRule[]) => void;
}) {
  const trpc = useTRPC();
  const query = useQuery(trpc.recipientLimits.packs.queryOptions());
  const [reviewed, setReviewed] = useState<LimitsPack | null>(null);
  const versionOf = (pack: LimitsPack) => rules.find((rule) => rule.pack?.id === pack.id)?.pack?.version;
  return (
    <Card>
      <CardHeader
        title="Suggested rules"
        description="Common legal and carrier requirements, with sources. Not legal advice. Review a set before you add it."
      />
      {query.data ? (
        <ul className="divide-y divide-line border-t border-line">
          {query.data.map((pack) => {
            const taken = versionOf(pack);
            return (
              <li key={pack.id} className="flex flex-wrap items-center justify-between gap-2 px-4 py-3">
                <div className="min-w-0 text-sm">
                  <p className="font-medium">
                    {pack.name}
                    {taken === undefined ? null : (
                      <Badge tone={taken === pack.version ? "success" : "warning"} className="ml-2">
                        {taken === pack.version ? "Added" : "Update available"}
                      </Badge>
                    )}
                  </p>
                  <p className="text-xs text-ink-muted">As of {pack.asOf}</p>
                </div>
                <Button size="sm" aria-label={`Review ${pack.name}`} onClick={() => setReviewed(pack)}>
                  Review
                </Button>
              </li>
            );
          })}
        </ul>
      ) : query.isError ? (
        <QueryFailed what="the rules" query={query} />
      ) : (
        <div aria-busy className="grid gap-3 border-t border-line px-4 py-4">
          <Skeleton className="w-56 max-w-full" />
          <Skeleton className="w-40" />
        </div>
      )}
      {reviewed ? (
        <Dialog
          open
          onClose={() => setReviewed(null)}
          title={reviewed.name}
          description={`As of ${reviewed.asOf}. Not legal advice.`}
          footer={
            <>
              <Button onClick={() => setReviewed(null)}>Cancel</Button>
              <Button
                variant="primary"
                disabled={versionOf(reviewed) === reviewed.version}
                onClick={() => {
                  onAdd([...rules.filter((rule) => rule.pack?.id !== reviewed.id), ...reviewed.quietHours]);
                  setReviewed(null);
                }}
              >
                {versionOf(reviewed) === undefined
                  ? "Add to your quiet hours"
                  : versionOf(reviewed) === reviewed.version
                    ? "Already added"
                    : "Replace older version"}
              </Button>
            </>
          }
        >
          <div className="grid gap-3 text-sm">
            <p>{reviewed.text}</p>
            <div>
              <p className="font-medium">Rules to add</p>
              <ul className="mt-1 list-disc pl-5">
                {reviewed.quietHours.map((rule) => (
                  <li key={quietSentence(rule)}>{quietSentence(rule)}</li>
                ))}
              </ul>
            </div>
            <div>
              <p className="font-medium">Sources</p>
              <ul className="mt-1 grid gap-1">
                {reviewed.sources.map((source) => (
                  <li key={source}>
                    <a
                      href={source}
                      target="_blank"
                      rel="noreferrer"
                      className="break-all text-accent-text hover:underline"
                    >
                      {source}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          </div>
        </Dialog>
      ) : null}
    </Card>
  );
}
