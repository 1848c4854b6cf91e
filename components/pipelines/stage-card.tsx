"use client";

import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { useId } from "react";
import type { Stage } from "../../server/pipelines/schemas.ts";
import { EnvironmentSwatch, ProductionPill } from "../layout/environment-mark.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { Select } from "../ui/select.tsx";

type Gates = Stage["gates"];

/** One stage of the composer: its place, and the gates before it. */
export function StageCard({
  stage,
  position,
  count,
  editable,
  onGates,
  onMove,
  onRemove,
}: {
  stage: Stage;
  /** From 0. */
  position: number;
  count: number;
  editable: boolean;
  onGates: (gates: Gates) => void;
  onMove: (step: 1 | -1) => void;
  onRemove: () => void;
}) {
  const first = position === 0;
  const set = (change: Partial<Gates>) => onGates({ ...stage.gates, ...change });
  return (
    <li>
      <Card aria-label={`Stage ${position + 1}: ${stage.name}`}>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 py-3">
          <span className="grid size-6 shrink-0 place-items-center rounded-full bg-neutral-soft text-xs font-semibold tabular">
            {position + 1}
          </span>
          <EnvironmentSwatch kind={stage.kind} />
          <h2 className="min-w-0 flex-1 truncate text-base font-semibold">
            {stage.name}{" "}
            <code className="hidden font-mono text-xs font-normal text-ink-muted sm:inline">
              {stage.environment}
            </code>
          </h2>
          <ProductionPill kind={stage.kind} />
          {editable ? (
            <div className="flex items-center">
              <Button
                variant="ghost"
                size="iconSm"
                aria-label={`Move ${stage.name} up`}
                title="Move up"
                disabled={first}
                onClick={() => onMove(-1)}
              >
                <ArrowUp aria-hidden />
              </Button>
              <Button
                variant="ghost"
                size="iconSm"
                aria-label={`Move ${stage.name} down`}
                title="Move down"
                disabled={position === count - 1}
                onClick={() => onMove(1)}
              >
                <ArrowDown aria-hidden />
              </Button>
              <Button
                variant="ghost"
                size="iconSm"
                aria-label={`Remove ${stage.name}`}
                title={count === 1 ? "A pipeline has at least one stage" : "Remove"}
                disabled={count === 1}
                onClick={onRemove}
              >
                <Trash2 aria-hidden />
              </Button>
            </div>
          ) : null}
        </div>
        <div className="border-t border-line px-4 py-3">
          {first ? (
            <p className="text-sm text-ink-muted">
              Saved versions go live here immediately, after moderation. The first stage has no gates.
            </p>
          ) : (
            <fieldset className="grid gap-3">
              <legend className="sr-only">Gates of {stage.name}</legend>
              <ApprovalsGate
                value={stage.gates.approvals}
                disabled={!editable}
                onChange={(approvals) => set({ approvals })}
              />
              <CheckboxField
                label="Moderation"
                checked={stage.gates.moderation}
                disabled={!editable}
                onChange={(moderation) => set({ moderation })}
              >
                {stage.kind === "production"
                  ? "Every version must have passed moderation, including by the AI service unless your organisation's settings allow less."
                  : "Every version must have passed moderation."}
              </CheckboxField>
              <CheckboxField
                label="WhatsApp approval"
                checked={stage.gates.whatsappApproval}
                disabled={!editable}
                onChange={(whatsappApproval) => set({ whatsappApproval })}
              >
                WhatsApp templates must be approved by the provider. Other channels pass.
              </CheckboxField>
              <CheckboxField
                label="WhatsApp category"
                checked={stage.gates.whatsappCategory}
                disabled={!editable}
                onChange={(whatsappCategory) => set({ whatsappCategory })}
              >
                WhatsApp must not categorise a template as marketing unless its type is marketing. Otherwise
                only people who can receive marketing would get it.
              </CheckboxField>
              <CheckboxField
                label="Test send"
                checked={stage.gates.testSend}
                disabled={!editable}
                onChange={(testSend) => set({ testSend })}
              >
                Someone must have successfully sent every version to themselves.
              </CheckboxField>
              <CheckboxField
                label="Review of AI content"
                checked={stage.gates.humanReview}
                disabled={!editable}
                onChange={(humanReview) => set({ humanReview })}
              >
                Someone other than the author must have reviewed every version that AI drafted or edited.
              </CheckboxField>
            </fieldset>
          )}
        </div>
      </Card>
    </li>
  );
}

function ApprovalsGate({
  value,
  disabled,
  onChange,
}: {
  value: number;
  disabled: boolean;
  onChange: (value: number) => void;
}) {
  const id = useId();
  return (
    <div className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_11rem]">
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          Approvals
        </label>
        <p id={`${id}-hint`} className="text-xs text-ink-muted">
          How many other people must approve.
        </p>
      </div>
      <Select
        id={id}
        aria-describedby={`${id}-hint`}
        value={String(value)}
        disabled={disabled}
        onValueChange={(next) => onChange(Number(next))}
        options={[0, 1, 2, 3, 4, 5].map((count) => ({
          value: String(count),
          label: count === 0 ? "None" : count === 1 ? "1 person" : `${count} people`,
        }))}
      />
    </div>
  );
}
