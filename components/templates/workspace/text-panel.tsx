"use client";

import { CircleAlert, FileCode } from "lucide-react";
import dynamic from "next/dynamic";
import { useId, useMemo, useState, type ClipboardEvent, type Ref } from "react";
import { mjmlRoot } from "../../../server/template-language/mjml-root.ts";
import type { PreviewProblem } from "../../../server/templates/schemas.ts";
import { LiquidEditor, type LiquidEditorHandle } from "../../editor/liquid-editor.tsx";
import type { EditorFinding } from "../../editor/locate-finding.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import type { Draft } from "../draft.ts";
import type { MailBlock } from "../mail/blocks.ts";
import { InsertBlockMenu } from "../mail/insert-block-menu.tsx";
import type { MailStarter } from "../mail/starters.ts";
import { textOf } from "./details-inputs.tsx";
import { Notice } from "./draft-notices.tsx";
import { switchToMjml } from "./quick-fix.ts";
import type { FieldProblems } from "./validate-draft.ts";

const StarterList = dynamic(() => import("../mail/starter-list.tsx").then((module) => module.StarterList));

export type TextPart = "/body" | "/metadata/text";

/** The texts of a draft: subject and preheader as lines, the body and the plain-text part in the editor. */
export function TextPanel({
  draft,
  part,
  onPart,
  fields,
  problems,
  findings,
  readOnly,
  fill,
  onChange,
  onSave,
  onInsertBlock,
  onStarter,
  ref,
}: {
  draft: Draft;
  /** Which text is in the editor. */
  part: TextPart;
  onPart: (part: TextPart) => void;
  fields: FieldProblems;
  problems: readonly PreviewProblem[];
  findings: readonly EditorFinding[];
  readOnly: boolean;
  /** The editor takes what height is left; else it has one of its own. */
  fill: boolean;
  onChange: (next: Partial<Draft>) => void;
  onSave: () => void;
  onInsertBlock: (block: MailBlock) => void;
  /** A new template: starters are offered until something is written. */
  onStarter: ((starter: MailStarter) => void) | undefined;
  ref: Ref<LiquidEditorHandle | null>;
}) {
  const isEmail = draft.channel === "email";
  const isMjml = draft.metadata.format === "mjml";
  const shown = isEmail ? part : "/body";
  const noteId = useId();
  // Monaco draws its marks anew for every new list.
  const ownProblems = useMemo(() => problems.filter(({ pointer }) => pointer === shown), [problems, shown]);
  const ownFindings = useMemo(() => findings.filter(({ pointer }) => pointer === shown), [findings, shown]);
  const setMetadata = (name: string, value: string) =>
    onChange({ metadata: { ...draft.metadata, [name]: value } });
  const body = { value: draft.body, onChange: (value: string) => onChange({ body: value }) };
  const plain = {
    value: textOf(draft.metadata.text),
    onChange: (value: string) => setMetadata("text", value),
  };
  const problem = fields[shown];
  const looksLikeMjml = isEmail && !isMjml && mjmlRoot(draft.body) !== null;

  return (
    <div className={fill ? "flex min-h-0 flex-1 flex-col gap-3" : "grid grid-cols-1 gap-3"}>
      {isEmail ? (
        <div className="grid shrink-0 grid-cols-1 gap-3 sm:grid-cols-2">
          <OneLine
            label="Subject"
            value={draft.subject}
            error={fields["/subject"]}
            readOnly={readOnly}
            onChange={(subject) => onChange({ subject })}
          />
          <OneLine
            label="Preheader"
            optional
            placeholder="What inboxes show after the subject"
            value={textOf(draft.metadata.preheader)}
            error={fields["/metadata/preheader"]}
            readOnly={readOnly}
            onChange={(value) => setMetadata("preheader", value)}
          />
        </div>
      ) : null}
      {isEmail && onStarter && !readOnly && draft.body.trim() === "" && shown === "/body" ? (
        <StarterList onChoose={onStarter} />
      ) : null}
      {looksLikeMjml ? (
        <Notice
          tone="warning"
          icon={FileCode}
          actions={
            <Button size="sm" disabled={readOnly} onClick={() => onChange(switchToMjml(draft))}>
              Use MJML
            </Button>
          }
        >
          This looks like MJML, but the body is set to HTML. It can&rsquo;t be saved like this.
        </Notice>
      ) : null}
      <div className={fill ? "flex min-h-64 flex-1 flex-col" : undefined}>
        <div className="mb-1.5 flex min-h-8 flex-wrap items-center justify-between gap-2">
          {isEmail ? (
            <Segmented
              label="Part of the e-mail"
              value={shown}
              onValueChange={onPart}
              options={[
                { value: "/body", label: isMjml ? "MJML" : "HTML" },
                { value: "/metadata/text", label: "Plain text" },
              ]}
            />
          ) : (
            <span className="text-sm font-medium">Body</span>
          )}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <p id={noteId} className="text-xs text-ink-faint">
              {shown === "/metadata/text" && plain.value === "" ? "Empty: made from the HTML. " : ""}
              <span className="hidden sm:inline">Esc, then Tab, leaves the editor.</span>
            </p>
            {isEmail && shown === "/body" ? (
              <InsertBlockMenu
                body={draft.body}
                isMjml={isMjml}
                disabled={readOnly}
                onInsert={onInsertBlock}
              />
            ) : null}
          </div>
        </div>
        <LiquidEditor
          key={shown}
          ref={ref}
          {...(shown === "/body" ? body : plain)}
          language={shown === "/body" && isEmail ? (isMjml ? "mjml" : "html") : "text"}
          variables={draft.variables}
          problems={ownProblems}
          findings={ownFindings}
          ariaLabel={shown === "/body" ? "Body" : "Plain text"}
          ariaDescribedBy={noteId}
          height={fill ? "100%" : isEmail ? "min(26rem, max(12rem, 70dvh))" : "min(16rem, 70dvh)"}
          readOnly={readOnly}
          onSave={onSave}
        />
        {problem ? (
          <p role="alert" className="mt-1.5 flex items-start gap-1 text-xs text-danger-text">
            <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
            {problem}
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** A text of one line. Pasted line breaks, which could end a mail's header, become spaces, and the reader is told. */
function OneLine({
  label,
  value,
  error,
  optional,
  placeholder,
  readOnly,
  onChange,
}: {
  label: string;
  value: string;
  error: string | undefined;
  optional?: boolean;
  placeholder?: string;
  readOnly: boolean;
  onChange: (value: string) => void;
}) {
  const [joined, setJoined] = useState(false);
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData("text");
    if (!/\p{Cc}/u.test(text)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const from = selectionStart ?? value.length;
    onChange(value.slice(0, from) + text.replaceAll(/\p{Cc}+/gu, " ") + value.slice(selectionEnd ?? from));
    setJoined(true);
  }
  return (
    <Field
      label={label}
      optional={optional}
      error={error}
      hint={joined ? `Line breaks became spaces: the ${label.toLowerCase()} is one line.` : undefined}
    >
      {(control) => (
        <Input
          {...control}
          value={value}
          placeholder={placeholder}
          readOnly={readOnly}
          onPaste={paste}
          onChange={(event) => {
            setJoined(false);
            onChange(event.target.value);
          }}
          autoComplete="off"
        />
      )}
    </Field>
  );
}
