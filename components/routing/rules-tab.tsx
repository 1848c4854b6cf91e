"use client";

import { Info, Route } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import type { Rule } from "../../server/routing/schemas.ts";
import { SearchBox } from "../data-table/search-box.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { RuleGroup } from "./rule-group.tsx";
import { conditionWords } from "./rule-words.ts";
import { useRuleActions, useRules } from "./use-rules.ts";

/** The rules in the order in which they win, grouped by how specific they are. */
export function RulesTab() {
  const { environment, applications, unit, can, href } = usePortal();
  const query = useRules();
  const [search, setSearch] = useQueryState("q", parseAsString.withDefault(""));
  const actions = useRuleActions(query.data?.revision ?? 0);

  if (query.isError && !query.data) {
    return (
      <Card>
        <QueryFailed what="the routing rules" query={query} />
      </Card>
    );
  }
  if (!query.data) return <RulesSkeleton />;
  const { data: rules, changedAt, changedBy, revision } = query.data;
  if (rules.length === 0) {
    return (
      <Card>
        <NothingYet
          icon={Route}
          title={`No routing rules in ${environment.name}`}
          action={
            can("routing:manage") ? (
              <Button asChild variant="primary" size="sm">
                <Link href={href("/routing/rules/new")}>Create rule</Link>
              </Button>
            ) : null
          }
        >
          Without a rule, nothing can be sent. Start with a rule without conditions, which applies to all
          messages.
        </NothingYet>
      </Card>
    );
  }
  const inUnit = new Set(applications.map((each) => each.name));
  const wanted = search.trim().toLowerCase();
  const matches = (rule: Rule) => {
    if (unit && rule.application !== null && !inUnit.has(rule.application)) return false;
    const words = [
      rule.name,
      rule.application,
      ...conditionWords(rule, applications).map(({ value }) => value),
      ...rule.tiers.flat().map(({ name }) => name),
    ];
    return wanted === "" || words.some((word) => word?.toLowerCase().includes(wanted));
  };
  const shown = rules.filter(matches);
  const groups = Map.groupBy(shown, (rule) => rule.specificity);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <SearchBox
          value={search}
          onChange={(next) => void setSearch(next === "" ? null : next)}
          placeholder="Rule, application, region or connection"
          label="Search rules"
          className="w-80 max-w-full"
        />
        <p className="text-xs text-ink-muted">
          {plural(rules.length, "rule")} · revision {revision}
          {changedAt && changedBy ? (
            <>
              {" "}
              · changed by {changedBy} <RelativeTime value={changedAt} />
            </>
          ) : null}
        </p>
      </div>
      <p className="flex gap-2 rounded-md border border-line bg-canvas px-3 py-2 text-xs text-ink-muted">
        <Info className="mt-px size-3.5 shrink-0" aria-hidden />
        <span>
          The <strong className="text-ink">most specific</strong> rule wins; ties go to the{" "}
          <strong className="text-ink">higher</strong> one. Drag rules by their handle, or focus it and use
          Space and the arrow keys.
        </span>
      </p>
      {shown.length === 0 ? (
        <Card>
          <NoMatch
            what="rules"
            hint="Try another name, application or connection."
            onClear={() => void setSearch(null)}
          />
        </Card>
      ) : (
        [...groups].map(([specificity, group]) => (
          <RuleGroup
            key={specificity}
            specificity={specificity}
            rules={group}
            // Between rules that are not shown there is no place to drop one.
            sortable={shown.length === rules.length}
            actions={actions}
          />
        ))
      )}
    </div>
  );
}

function RulesSkeleton() {
  return (
    <div className="grid gap-4" aria-busy>
      <Skeleton className="h-8 w-80 max-w-full" />
      {[4, 3].map((count) => (
        <div key={count}>
          <Skeleton className="mb-2 w-28" />
          <Card>
            {Array.from({ length: count }, (_, index) => (
              <div
                key={index}
                className="flex h-14 items-center gap-6 border-b border-line px-4 last:border-0"
              >
                <Skeleton className="w-52" />
                <Skeleton className="hidden w-40 sm:block" />
                <Skeleton className="ml-auto hidden w-48 md:block" />
              </div>
            ))}
          </Card>
        </div>
      ))}
    </div>
  );
}
