"use client";

import { ChevronRight, RotateCcw } from "lucide-react";
import { useId } from "react";
import { VariableFields } from "../../send/variable-fields.tsx";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { Field } from "../../ui/field.tsx";
import { plural } from "../../ui/format.ts";
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
            {plural(variables.length, "variable")}, {region ? `${language}-${region}` : language}
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
          <div className="grid grid-cols-2 gap-3">
            <Field label="Language">
              {(control) => (
                <PlaceInput
                  kind="language"
                  {...control}
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
                  {...control}
                  value={settings.region}
                  onValueChange={(next) => change({ region: next })}
                  none={{
                    value: "",
                    label: usual.region === "" ? "Any region" : placeName("region", usual.region),
                  }}
                />
              )}
            </Field>
          </div>
        </div>
      ) : null}
    </section>
  );
}
