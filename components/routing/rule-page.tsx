"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Compass } from "lucide-react";
import { Skeleton } from "../ui/skeleton.tsx";
import { named } from "../ui/isolated.ts";
import { emptyDraft } from "./rule-draft.ts";
import { RuleEditor } from "./rule-editor.tsx";
import { ruleName } from "./rule-words.ts";
import { inputOf, useRules } from "./use-rules.ts";

/** One rule, new (`id` null) or stored, as a form beside a dry run. */
export function RulePage({ id }: { id: string | null }) {
  const { environment, href, can, canIn } = usePortal();
  const [from] = useQueryState("from", parseAsString);
  const rules = useRules();
  const choices = useQuery(useTRPC().routing.choices.queryOptions({ environmentId: environment.id }));
  const rule = rules.data?.data.find((each) => each.id === id);
  const original = rules.data?.data.find((each) => each.id === from);
  const title = id === null ? "New rule" : rule ? ruleName(rule.name) : "Routing rule";
  const failed = (rules.isError && !rules.data) || (choices.isError && !choices.data);

  return (
    <PageFrame wide className="max-w-[96rem]">
      <PageHeader
        title={
          <span className="inline-flex min-w-0 flex-wrap items-center gap-2">
            <bdi>{title}</bdi>
            {rule && !rule.enabled ? <Badge>Off</Badge> : null}
          </span>
        }
        documentTitle={`${named(title)} · Routing`}
        description={
          id === null
            ? `Decides for messages in ${environment.name} that meet its conditions.`
            : "Which messages it applies to, and which connections send them."
        }
        back={{ href: href("/routing"), label: "Routing" }}
      />
      {failed ? (
        <Card>
          <QueryFailed
            what="the rule"
            query={{
              error: rules.error ?? choices.error,
              refetch: () => Promise.all([rules.refetch(), choices.refetch()]),
            }}
          />
        </Card>
      ) : !rules.data || !choices.data ? (
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]" aria-busy>
          <div className="grid gap-4">
            <Skeleton className="h-64 w-full" />
            <Skeleton className="h-56 w-full" />
          </div>
          <Skeleton className="h-80 w-full" />
        </div>
      ) : id !== null && !rule ? (
        <Card>
          <NothingYet icon={Compass} title={`No such rule in ${environment.name}`}>
            It may have been deleted, belong to another environment, or to an application you don't have
            access to.
          </NothingYet>
        </Card>
      ) : (
        <RuleEditor
          key={`${environment.id} ${id ?? "new"}`}
          id={id}
          saved={
            rule
              ? inputOf(rule)
              : original
                ? { ...inputOf(original), name: `${ruleName(original.name)} (copy)`.slice(0, 100) }
                : emptyDraft
          }
          revision={rules.data.revision}
          rules={rules.data.data}
          choices={choices.data}
          editable={rule ? rule.editable : can("routing:manage")}
          everywhere={canIn("routing:manage", null)}
        />
      )}
    </PageFrame>
  );
}
