"use client";

import { X } from "lucide-react";
import type { ComponentProps } from "react";
import type { Absentee } from "../../server/sending/schemas.ts";
import { ChoiceFilter, FilterMenu } from "../data-table/filter-menu.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Badge, Dot } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/select.tsx";
import { formatLocal } from "../ui/time.tsx";
import { ChannelFilter } from "./channel-filter.tsx";
import { statusFaces, statusNames, type NotificationStatus } from "./status.ts";
import { rangeLabels, ranges, type MessageFilters, type Range } from "./use-message-filters.ts";

/** What can be chosen in the filters whose values belong to the tenant. */
export type FilterChoices = {
  templates: readonly string[];
  /** Where there are more templates than `templates` can hold. */
  templateSearch: ComponentProps<typeof FilterMenu>["search"];
  providers: readonly { id: string; name: string }[];
  types: readonly string[];
};

/** Filters that come with a link from a report, a chart or a message; they can be taken away, not chosen. */
const reportedFilters = [
  { name: "code", label: () => "Reason" },
  { name: "providerCode", label: () => "Provider code" },
  { name: "subtype", label: () => "Subtype" },
  { name: "templateId", label: () => "Template" },
  { name: "country", label: () => "Country" },
  { name: "mailDomain", label: () => "Mail domain" },
  { name: "sent", label: (yes: boolean) => (yes ? "Handed to a provider" : "Never sent") },
  { name: "final", label: (yes: boolean) => (yes ? "Completed" : "Still in progress") },
  { name: "simulated", label: (yes: boolean) => (yes ? "Simulated" : "Not simulated") },
  { name: "without", label: () => "Without" },
] as const satisfies readonly { name: keyof MessageFilters["values"]; label: (yes: boolean) => string }[];

/** What messages have none of, in words that follow "without". */
const lacked: Record<Absentee, string> = {
  provider: "a provider",
  template: "a template",
  country: "a country",
  mailDomain: "a mail domain",
  notificationType: "a type",
  notificationSubtype: "a subtype",
  code: "a reason",
  providerCode: "a provider’s code",
};

export function MessageFilterBar({ filters, choices }: { filters: MessageFilters; choices: FilterChoices }) {
  const { applications, can } = usePortal();
  const byAddress = can("content:reveal");
  const { values, change } = filters;
  const plain = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));

  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchBox
        value={values.q}
        onChange={(q) => change({ q: q === "" ? null : q })}
        label={`Search messages by ${byAddress ? "a number or e-mail address, or part of it, " : ""}message ID or transaction ID`}
        placeholder={byAddress ? "Number, e-mail address or ID" : "Message or transaction ID"}
        className="w-full sm:w-72"
      />
      <FilterMenu
        label="Status"
        selected={values.status}
        onChange={(status) => change({ status: status.length > 0 ? (status as NotificationStatus[]) : null })}
        options={statusNames.map((name) => ({
          value: name,
          label: statusFaces[name].label,
          mark: <Dot tone={statusFaces[name].tone} />,
        }))}
      />
      <ChannelFilter value={values.channel} onChange={(channel) => change({ channel })} />
      {applications.length > 1 || values.application ? (
        <ChoiceFilter
          label="Application"
          value={values.application}
          onChange={(application) => change({ application })}
          options={applications.map((each) => ({ value: each.name, label: each.title }))}
        />
      ) : null}
      {choices.templates.length > 0 || values.template ? (
        <ChoiceFilter
          label="Template"
          value={values.template}
          onChange={(template) => change({ template })}
          options={plain(choices.templates)}
          search={choices.templateSearch}
          names={values.template ? { [values.template]: values.template } : {}}
        />
      ) : null}
      {choices.providers.length > 1 || values.provider ? (
        <ChoiceFilter
          label="Provider"
          value={values.provider}
          onChange={(provider) => change({ provider })}
          options={choices.providers.map((each) => ({ value: each.id, label: each.name }))}
        />
      ) : null}
      {choices.types.length > 1 || values.type ? (
        <ChoiceFilter
          label="Type"
          value={values.type}
          onChange={(type) => change({ type })}
          options={plain(choices.types)}
        />
      ) : null}
      {reportedFilters
        .filter(({ name }) => values[name] !== null)
        .map(({ name, label }) => (
          <Badge key={name} tone="accent" className="h-8 gap-1 rounded-md pr-1 pl-2.5 text-sm">
            {typeof values[name] === "boolean" ? (
              label(values[name])
            ) : (
              <>
                {label(true)}{" "}
                <code className="max-w-48 truncate font-mono text-xs">
                  {name === "without" ? values.without?.map((each) => lacked[each]).join(", ") : values[name]}
                </code>
              </>
            )}
            <Button
              variant="ghost"
              size="iconSm"
              className="size-6"
              aria-label={`Clear filter ${label(true)}`}
              onClick={() => change({ [name]: null })}
            >
              <X aria-hidden />
            </Button>
          </Badge>
        ))}
      {values.from ? (
        <Badge tone="accent" className="h-8 gap-1 rounded-md pr-1 pl-2.5 text-sm">
          {formatLocal(values.from)}
          {values.to ? ` – ${formatLocal(values.to)}` : " onwards"}
          <Button
            variant="ghost"
            size="iconSm"
            className="size-6"
            aria-label="Clear exact time range"
            onClick={() => change({ from: null, to: null })}
          >
            <X aria-hidden />
          </Button>
        </Badge>
      ) : (
        <Select
          aria-label="Time range"
          className="w-36"
          value={values.range}
          onValueChange={(range) => change({ range: range as Range })}
          options={ranges.map((range) => ({ value: range, label: rangeLabels[range] }))}
        />
      )}
      {filters.narrowed ? (
        <Button variant="ghost" size="sm" onClick={filters.clear}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}
