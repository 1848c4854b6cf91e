"use client";

import { WandSparkles } from "lucide-react";
import { ToggleGroup } from "radix-ui";
import { useState } from "react";
import type { DraftRequest } from "../../../server/drafting/schemas.ts";
import { draftTones } from "../../../server/drafting/vocabulary.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { humanize } from "../../ui/format.ts";
import { Select } from "../../ui/select.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { contentOf, type Draft } from "../draft.ts";
import { placeName } from "../places.ts";
import { PlaceInput } from "../../ui/place-input.tsx";
import { Form } from "../../ui/form.tsx";

type Action = DraftRequest["action"];

const faces: Record<Action, { label: string; run: string; prompt: string; hint?: string }> = {
  draft: { label: "Draft", run: "Write", prompt: "What should the text say?" },
  rewrite: { label: "Rewrite", run: "Rewrite", prompt: "What should change?" },
  shorten: { label: "Shorten", run: "Shorten", prompt: "What must be kept?" },
  translate: { label: "Translate", run: "Translate", prompt: "Anything to consider?" },
  tone: { label: "Tone", run: "Change the tone", prompt: "Anything to consider?" },
};

/** What to have written. Only declared variables may appear in the result, so they go with every request. */
export function DraftingForm({
  draft,
  templateId,
  busy,
  onStart,
}: {
  draft: Draft;
  templateId: string | undefined;
  busy: boolean;
  onStart: (request: DraftRequest) => void;
}) {
  const blank = draft.body.trim() === "";
  const [chosen, setAction] = useState<Action>("draft");
  const [prompt, setPrompt] = useState("");
  const [tone, setTone] = useState("");
  const [language, setLanguage] = useState("");
  const action = blank ? "draft" : chosen;
  const face = faces[action];
  const asksTone = action === "draft" || action === "rewrite" || action === "tone";
  const asksLanguage = action === "draft" || action === "translate";
  const missing =
    (action === "draft" && prompt.trim() === "") ||
    (action === "translate" && language === "") ||
    (action === "tone" && tone === "");

  function start() {
    if (missing || busy) return;
    const content = contentOf(draft);
    onStart({
      application: draft.application,
      templateId,
      action,
      channel: draft.channel,
      format: draft.channel === "email" && draft.metadata.format === "mjml" ? "mjml" : "html",
      prompt: prompt.trim(),
      tone: asksTone && tone !== "" ? (tone as (typeof draftTones)[number]) : undefined,
      language: (asksLanguage && language !== "" ? language : draft.language) || undefined,
      subject: draft.channel === "email" ? draft.subject : "",
      body: draft.body,
      variables: content.variables.filter((variable) => variable.name !== ""),
    });
  }

  return (
    <Form
      className="grid grid-cols-1 gap-3"
      onSubmit={start}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          start();
        }
      }}
    >
      {blank ? null : (
        <ToggleGroup.Root
          type="single"
          value={action}
          onValueChange={(next) => next && setAction(next as Action)}
          aria-label="What to do"
          className="flex flex-wrap gap-1"
        >
          {(Object.keys(faces) as Action[]).map((each) => (
            <ToggleGroup.Item
              key={each}
              value={each}
              className="inline-flex h-7 items-center rounded-md border border-line px-2.5 text-xs font-medium text-ink-muted transition-colors hover:bg-hover hover:text-ink data-[state=on]:border-accent data-[state=on]:bg-accent-soft data-[state=on]:text-accent-text"
            >
              {faces[each].label}
            </ToggleGroup.Item>
          ))}
        </ToggleGroup.Root>
      )}
      <Field
        label={face.prompt}
        optional={action !== "draft"}
        hint={
          action === "draft"
            ? draft.variables.length > 0
              ? `Can use ${draft.variables
                  .map((variable) => variable.name)
                  .filter((name) => name !== "")
                  .join(", ")}`
              : "No variables declared"
            : action === "shorten" && draft.channel === "sms"
              ? "Fits one segment with the examples"
              : action === "translate"
                ? templateId === undefined
                  ? "To make it a variant instead, save this template first"
                  : "Creates a new variant. This text is kept"
                : undefined
        }
      >
        {(control) => (
          <Textarea
            {...control}
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
            rows={action === "draft" ? 4 : 2}
            maxLength={4_000}
            placeholder={action === "draft" ? "Tell customers that their parcel is on its way" : undefined}
          />
        )}
      </Field>
      {asksTone || asksLanguage ? (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          {asksTone ? (
            <Field label="Tone" optional={action !== "tone"}>
              {(control) => (
                <Select
                  {...control}
                  value={tone}
                  onValueChange={(next) => setTone(next === "none" ? "" : next)}
                  placeholder={action === "tone" ? "Choose…" : "Automatic"}
                  options={[
                    ...(action === "tone" ? [] : [{ value: "none", label: "Automatic" }]),
                    ...draftTones.map((each) => ({ value: each, label: humanize(each) })),
                  ]}
                />
              )}
            </Field>
          ) : null}
          {asksLanguage ? (
            <Field label={action === "translate" ? "Into" : "Language"} optional={action === "draft"}>
              {(control) => (
                <PlaceInput
                  kind="language"
                  {...control}
                  value={language}
                  onValueChange={setLanguage}
                  placeholder={
                    action === "draft" && draft.language !== ""
                      ? placeName("language", draft.language)
                      : undefined
                  }
                  without={action === "translate" && draft.language !== "" ? [draft.language] : []}
                />
              )}
            </Field>
          ) : null}
        </div>
      ) : null}
      <Button type="submit" variant="primary" className="justify-self-start" disabled={missing || busy}>
        <WandSparkles aria-hidden /> {face.run}
      </Button>
    </Form>
  );
}
