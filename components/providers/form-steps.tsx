"use client";

import { ArrowLeft, ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import type { FormStep, Preset } from "./schema-values.ts";

/** One step at a time of a long form, with a way to each; the fields of the others keep what was typed. */
export function FormSteps({
  steps,
  current,
  wrong,
  onChange,
  children,
}: {
  steps: readonly FormStep[];
  current: number;
  /** Steps with a complaint. */
  wrong: ReadonlySet<number>;
  onChange: (step: number) => void;
  children: ReactNode;
}) {
  const step = steps[current];
  if (!step) return null;
  const before = steps[current - 1];
  const after = steps[current + 1];
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <ol aria-label="Steps" className="flex flex-wrap gap-1">
        {steps.map(({ title }, index) => (
          <li key={title}>
            <button
              type="button"
              aria-current={index === current ? "step" : undefined}
              onClick={() => onChange(index)}
              className={cn(
                "flex h-8 items-center gap-2 rounded-md px-2.5 text-sm hover:bg-hover",
                index === current ? "bg-selected font-medium text-ink" : "text-ink-muted",
              )}
            >
              <span
                className={cn(
                  "grid size-5 place-items-center rounded-full text-2xs tabular",
                  index === current ? "bg-accent text-accent-ink" : "bg-neutral-soft",
                )}
                aria-hidden
              >
                {index + 1}
              </span>
              {title}
              {wrong.has(index) ? <span className="text-xs font-medium text-danger-text">Check</span> : null}
            </button>
          </li>
        ))}
      </ol>
      <section aria-label={step.title} className="grid grid-cols-1 gap-4">
        <p className="text-sm text-ink-muted">{step.hint}.</p>
        {children}
      </section>
      <div className="flex gap-2">
        {before ? (
          <Button onClick={() => onChange(current - 1)}>
            <ArrowLeft aria-hidden /> {before.title}
          </Button>
        ) : null}
        {after ? (
          <Button onClick={() => onChange(current + 1)}>
            {after.title} <ArrowRight aria-hidden />
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const own = "-";

/** Settings to start from, and what a person has to look up for them. */
export function PresetField({
  presets,
  chosen,
  onChoose,
}: {
  presets: readonly Preset[];
  chosen: Preset | undefined;
  onChoose: (preset: Preset | undefined) => void;
}) {
  return (
    <div className="grid gap-3">
      <Field
        label="Start from"
        hint="Fills in the steps below for a known provider. You can change everything afterwards."
        className="max-w-md"
      >
        {(control) => (
          <Select
            {...control}
            value={chosen?.name ?? own}
            onValueChange={(name) => onChoose(presets.find((each) => each.name === name))}
            options={[
              { value: own, label: "Another provider" },
              ...presets.map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        )}
      </Field>
      {chosen ? (
        <section
          aria-label={`Setting up ${chosen.name}`}
          className="rounded-md border border-line bg-canvas px-4 py-3 text-sm"
        >
          <h3 className="font-medium">Setting up {chosen.name}</h3>
          <ul className="mt-1.5 grid list-disc gap-1 pl-4 text-ink-muted">
            {Object.entries(chosen.secrets).map(([name, place]) => (
              <li key={name}>
                Authentication: enter <code className="font-mono text-xs text-ink">{name}</code>. Where to
                find it: {place}
              </li>
            ))}
            {chosen.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

/** The lines of a preset's secrets, for their values to be typed behind. */
export const secretLines = ({ secrets }: Preset): string =>
  Object.keys(secrets)
    .map((name) => `${name} = `)
    .join("\n");
