"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { actionLabel, targetLabel } from "./audit-words.ts";
import { rangeLabels, ranges, type AuditFilters, type Range } from "./use-audit-filters.ts";

export function AuditFilterBar({ filters }: { filters: AuditFilters }) {
  const { environments } = usePortal();
  const trpc = useTRPC();
  const choices = useQuery(trpc.audit.choices.queryOptions(undefined, { staleTime: 60_000 })).data;
  const { values, change } = filters;
  const byLabel = (values: readonly string[] | undefined, label: (value: string) => string) =>
    (values ?? [])
      .map((value) => ({ value, label: label(value) }))
      .toSorted((one, other) => one.label.localeCompare(other.label, "en"));
  const bound = (key: "action" | "actor" | "target" | "environment") => ({
    value: values[key],
    onChange: (value: string | null) => change({ [key]: value }),
  });

  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchBox
        value={values.q}
        onChange={(q) => change({ q: q === "" ? null : q })}
        label="Search the audit trail by name, action, ID or a recipient's full address"
        placeholder="Name, action, ID or full address"
        className="w-full sm:w-72"
      />
      <ChoiceFilter
        label="Who"
        {...bound("actor")}
        options={[
          { value: "system", label: "System" },
          ...(choices?.actors ?? []).map(({ id, name, type }) => ({
            value: id,
            label: type === "apiKey" ? `${name} (API key)` : name,
          })),
        ]}
      />
      <ChoiceFilter label="What" {...bound("action")} options={byLabel(choices?.actions, actionLabel)} />
      <ChoiceFilter
        label="Target type"
        {...bound("target")}
        options={byLabel(choices?.targetTypes, targetLabel)}
      />
      <ChoiceFilter
        label="Environment"
        {...bound("environment")}
        options={environments.map((each) => ({ value: each.slug, label: each.name }))}
      />
      {values.thing ? (
        <Badge tone="accent" className="h-8 gap-1 rounded-md pr-1 pl-2.5 text-sm">
          One target <code className="font-mono text-xs">…{values.thing.slice(-8)}</code>
          <Button
            variant="ghost"
            size="iconSm"
            className="size-6"
            aria-label="Show all targets"
            onClick={() => change({ thing: null })}
          >
            <X aria-hidden />
          </Button>
        </Badge>
      ) : null}
      <Select
        aria-label="Period"
        className="w-36"
        value={values.range}
        onValueChange={(range) => change({ range: range as Range })}
        options={ranges.map((range) => ({ value: range, label: rangeLabels[range] }))}
      />
      {values.range === "custom" ? (
        <span className="flex items-center gap-1.5 text-sm text-ink-muted">
          <Input
            type="date"
            aria-label="First day"
            className="w-36"
            value={values.from ?? ""}
            onChange={(event) => change({ from: event.target.value || null })}
          />
          –
          <Input
            type="date"
            aria-label="Last day"
            className="w-36"
            value={values.to ?? ""}
            onChange={(event) => change({ to: event.target.value || null })}
          />
        </span>
      ) : null}
      {filters.narrowed ? (
        <Button variant="ghost" size="sm" onClick={filters.clear}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}
