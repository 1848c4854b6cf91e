"use client";

import { ChevronRight, RotateCcw } from "lucide-react";
import { useId } from "react";
import { VariableFields } from "../../send/variable-fields.tsx";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { Field } from "../../ui/field.tsx";
import { plural } from "../../ui/format.ts";
import { Input } from "../../ui/input.tsx";
import { declarationsOf, type Draft } from "../draft.ts";
import { placeName } from "../places.ts";
import { useSampleSettings, useUsualPlace } from "./use-sample-values.ts";
import { PlaceInput } from "../../ui/place-input.tsx";

/** What the preview is made with: a value for each variable, and for whom. Closed it is one line. */
export function SampleValues({
  draft,
  templateId,
  problems,
  open,
  onOpenChange,
}: {
  draft: Draft;
  templateId: string | undefined;
  /** By name of the variable. */
  problems: Readonly<Record<string, string>>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { settings, change, setValue, reset, changed } = useSampleSettings(templateId);
  const usual = useUsualPlace(draft);
  const id = useId();
  const variables = declarationsOf(draft).filter((variable) => variable.name !== "");
  const values = Object.fromEntries(
    variables.map((variable) => [
      variable.name,
      settings.values[variable.name] ?? variable.example ?? variable.values?.[0] ?? "",
    ]),
  );
  const language = settings.language || usual.language;
  const region = settings.region || usual.region;

  return (
    <section aria-label="Sample values" className="rounded-md border border-line">
      <div className="flex items-center justify-between gap-2 pr-1.5">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => onOpenChange(!open)}
          className="flex min-h-10 min-w-0 flex-1 items-center gap-2 rounded-md px-3 py-1.5 text-left text-sm"
        >
          <ChevronRight
            className={cn("size-4 shrink-0 text-ink-faint transition-transform", open && "rotate-90")}
            aria-hidden
          />
          <span className="font-medium whitespace-nowrap">Sample values</span>
          <span className="truncate text-xs text-ink-muted">
            {plural(variables.length, "variable")}, {region ? `${language}-${region}` : language},{" "}
            {settings.timezone || usual.timezone}
          </span>
        </button>
        {changed ? (
          <Button size="sm" variant="ghost" onClick={reset}>
            <RotateCcw aria-hidden /> Reset
          </Button>
        ) : null}
      </div>
      {open ? (
        <div id={id} className="grid grid-cols-1 gap-4 border-t border-line px-3 py-3">
          {variables.length > 0 ? (
            <VariableFields variables={variables} values={values} onChange={setValue} problems={problems} />
          ) : (
            <p className="text-sm text-ink-muted">The template declares no variables.</p>
          )}
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_1fr_2fr]">
            <Field label="Language">
              {(control) => (
                <PlaceInput
                  kind="language"
                  id={control.id}
                  value={settings.language}
                  onValueChange={(next) => change({ language: next })}
                  none={{ value: "", label: placeName("language", usual.language) }}
                />
              )}
            </Field>
            <Field label="Region">
              {(control) => (
                <PlaceInput
                  kind="region"
                  id={control.id}
                  value={settings.region}
                  onValueChange={(next) => change({ region: next })}
                  none={{
                    value: "",
                    label: usual.region === "" ? "Any region" : placeName("region", usual.region),
                  }}
                />
              )}
            </Field>
            <Choice
              label="Time zone"
              className="col-span-2 sm:col-span-1"
              value={settings.timezone}
              usual={usual.timezone}
              wrong={isZone(settings.timezone) ? undefined : "Unknown, so UTC is used"}
              choices={["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => [zone, ""])}
              onChange={(timezone) => change({ timezone: timezone.slice(0, 64) })}
            />
          </div>
        </div>
      ) : null}
    </section>
  );
}

/** A short text with choices offered; empty means the usual. */
function Choice({
  label,
  value,
  usual,
  wrong,
  choices,
  onChange,
  className,
}: {
  label: string;
  value: string;
  usual: string;
  wrong: string | undefined;
  choices: readonly (readonly [code: string, name: string])[];
  onChange: (value: string) => void;
  className?: string;
}) {
  const listId = useId();
  return (
    <Field label={label} error={wrong} className={className}>
      {(control) => (
        <>
          <Input
            {...control}
            list={listId}
            value={value}
            placeholder={usual}
            onChange={(event) => onChange(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
          <datalist id={listId}>
            {choices.map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function isZone(name: string): boolean {
  if (name === "") return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
