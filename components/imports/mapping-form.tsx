"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { EyeOff } from "lucide-react";
import { useState } from "react";
import type { ImportDetails, ImportMapping } from "../../server/imports/schemas.ts";
import {
  attributeFor,
  attributePrefix,
  importLimits,
  importTargets,
  manyColumns,
} from "../../server/imports/vocabulary.ts";
import { suppressionReasons } from "../../server/consent/vocabulary.ts";
import { classes, classWords } from "../consent/consent-words.ts";
import { suppressionWords } from "../consent/suppression-words.ts";
import { GroupMenu, useGroupNames } from "../contacts/group-menu.tsx";
import { channelLabel, channels } from "../messages/channel.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { LoadFailed } from "../ui/empty-state.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { PlaceInput } from "../ui/place-input.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { targetWords } from "./import-words.ts";

/** A select has no empty value. */
const none = "none";
type Constant = keyof ImportMapping["constants"];

/** Which column becomes what, beside the beginning of the file. */
export function MappingForm({
  one,
  onCancel,
  onChecking,
}: {
  one: ImportDetails;
  onCancel: (() => void) | undefined;
  onChecking: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("imports");
  const { head, kind } = one;
  const [mapping, setMapping] = useState<ImportMapping>(
    () => head?.guesses ?? { columns: [], constants: {}, groupIds: [] },
  );
  const check = useMutation(
    trpc.imports.check.mutationOptions({
      onSuccess: async () => {
        await refresh();
        onChecking();
      },
    }),
  );
  if (!head) return <LoadFailed what="the file" />;
  const { columns, constants } = mapping;
  const assign = (index: number, target: string) =>
    setMapping((old) => ({
      ...old,
      columns: old.columns.map((each, at) => {
        if (at === index) return target === none ? null : target;
        // Moves with the choice: two columns cannot become the same.
        return each === target && !manyColumns.includes(target) ? null : each;
      }),
    }));
  const setConstant = (name: Constant, value: string) =>
    setMapping((old) => {
      const { [name]: _old, ...others } = old.constants;
      return { ...old, constants: value === none ? others : { ...others, [name]: value } };
    });
  const constant = (
    name: Constant,
    label: string,
    hint: string,
    options: { value: string; label: string }[],
  ) =>
    columns.includes(name) ? null : (
      <Field key={name} label={label} hint={hint}>
        {(ids) => (
          <Select
            {...ids}
            value={constants[name] ?? none}
            onValueChange={(value) => setConstant(name, value)}
            options={options}
          />
        )}
      </Field>
    );
  const choose = { value: none, label: "Choose…" };
  const channel = constant("channel", "Channel of every row", "Not in the file", [
    choose,
    ...channels.map((value) => ({ value, label: channelLabel(value) })),
  ]);
  const constantsOf: Record<typeof kind, (typeof channel)[]> = {
    contacts: [],
    consent: [
      channel,
      constant("state", "Opt-in or opt-out in every row", "Not in the file", [
        choose,
        { value: "opted_out", label: "They opt out" },
        { value: "opted_in", label: "They opt in" },
      ]),
      constant("class", "Class of every row", "Not in the file", [
        { value: none, label: "Every class" },
        ...classes.map((value) => ({ value, label: classWords[value].label })),
      ]),
      columns.includes("region") ? null : (
        <Field key="region" label="Region of every row" hint="Not in the file">
          {(ids) => (
            <PlaceInput
              kind="region"
              {...ids}
              value={constants.region ?? none}
              onValueChange={(value) => setConstant("region", value)}
              none={{ value: none, label: "Every region" }}
            />
          )}
        </Field>
      ),
    ],
    suppressions: [
      channel,
      constant(
        "reason",
        "Reason of every row",
        "Not in the file",
        suppressionReasons.map((value) => ({
          value: value === "manual" ? none : value,
          label: suppressionWords[value].label,
        })),
      ),
    ],
  };
  const fields = constantsOf[kind].filter((field) => field !== null);
  return (
    <Card>
      <CardHeader
        title="Assign columns"
        description="The first row is the header. Check that special characters look right."
      />
      {head.rows === null ? (
        <p className="mx-4 mb-3 flex items-center gap-2 text-sm text-ink-muted">
          <EyeOff className="size-4 shrink-0" aria-hidden /> Someone else uploaded this file, and you don't
          have access to addresses.
        </p>
      ) : null}
      <div
        className="overflow-x-auto border-y border-line"
        role="region"
        aria-label="Columns of the file"
        tabIndex={0}
      >
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line bg-canvas text-left align-top">
              {head.header.map((name, index) => (
                <th key={`${String(index)} ${name}`} scope="col" className="min-w-44 px-3 py-2.5 font-medium">
                  <span className="mb-1.5 block truncate">
                    {name === "" ? `Column ${String(index + 1)}` : name}
                  </span>
                  <Select
                    aria-label={`${name === "" ? `Column ${String(index + 1)}` : name} becomes`}
                    value={columns[index] ?? none}
                    onValueChange={(value) => assign(index, value)}
                    className="w-full font-normal"
                    options={targetsFor(kind, name)}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {(head.rows ?? []).map((row, at) => (
              <tr key={at}>
                {head.header.map((_name, index) => (
                  <td
                    key={index}
                    className={`max-w-64 truncate px-3 py-1.5 ${columns[index] === null ? "text-ink-faint" : ""}`}
                  >
                    {row[index] ?? ""}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {head.rows?.length === 0 ? (
        <p className="px-4 pt-4 text-sm text-ink-muted">The file has no rows below the header.</p>
      ) : null}
      {fields.length > 0 ? (
        <div className="grid gap-4 px-4 pt-4 sm:grid-cols-2 lg:grid-cols-4">{fields}</div>
      ) : null}
      {kind === "contacts" ? (
        <Groups
          selected={mapping.groupIds}
          onChange={(groupIds) => setMapping((old) => ({ ...old, groupIds }))}
        />
      ) : null}
      <div className="grid gap-4 px-4 py-4">
        {check.isError ? <FormError title="Check the columns">{errorText(check.error)}</FormError> : null}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-ink-muted">Next, every row is checked. Nothing is imported yet.</p>
          <div className="flex gap-2">
            {onCancel ? (
              <Button variant="ghost" onClick={onCancel}>
                Back
              </Button>
            ) : null}
            <Button
              variant="primary"
              pending={check.isPending}
              onClick={() => check.mutate({ id: one.id, mapping })}
            >
              Check file
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}

/** Groups that everybody in the file is put into. */
function Groups({
  selected,
  onChange,
}: {
  selected: readonly string[];
  onChange: (groupIds: string[]) => void;
}) {
  const trpc = useTRPC();
  // Whom a filter holds for nobody can be put into.
  const query = useQuery(trpc.contactGroups.list.queryOptions({ limit: 1, kind: "static" }));
  const names = useGroupNames(selected).map(({ name }) => name);
  if (!query.data || query.data.data.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 pt-4 text-sm">
      <GroupMenu
        label="Add to groups"
        kind="static"
        selected={selected}
        onChange={(next) => onChange(next.slice(0, importLimits.groups))}
      />
      <span className="text-ink-muted">
        {names.length === 0 ? "No group" : `Everyone in the file is added to ${names.join(", ")}`}
      </span>
    </div>
  );
}

function targetsFor(kind: ImportDetails["kind"], header: string) {
  const attribute = kind === "contacts" ? attributeFor(header) : null;
  return [
    { value: none, label: "Skip" },
    ...importTargets[kind].map((value) => ({ value, label: targetWords[value] ?? value })),
    ...(attribute === null
      ? []
      : [{ value: attribute, label: `Attribute ${attribute.slice(attributePrefix.length)}` }]),
  ];
}
