"use client";

import { Save, ShieldCheck } from "lucide-react";
import { useModKey } from "../../shortcuts/use-mod-key.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

/** What this version changes, and the ways to have it checked and saved; always in view. */
export function SaveBar({
  note,
  noteProblem,
  isNew,
  dirty,
  writing,
  saving,
  checking,
  canCheck,
  onNote,
  onCheck,
  onSave,
  onDiscard,
}: {
  note: string;
  noteProblem: string | undefined;
  isNew: boolean;
  dirty: boolean;
  /** The text is not complete: AI is writing it. */
  writing: boolean;
  saving: boolean;
  checking: boolean;
  canCheck: boolean;
  onNote: (note: string) => void;
  onCheck: () => void;
  onSave: () => void;
  onDiscard: () => void;
}) {
  const mod = useModKey();
  return (
    <div className="z-10 -mx-4 flex shrink-0 flex-wrap items-end gap-x-3 gap-y-2 border-t border-line bg-canvas px-4 pt-3 pb-3 sm:mx-0 sm:px-0 lg:pb-0 [@media(min-height:36rem)_and_(max-width:63.99rem)]:sticky [@media(min-height:36rem)_and_(max-width:63.99rem)]:bottom-0">
      <Field
        label="What does this version change?"
        optional
        error={noteProblem}
        className="min-w-0 flex-1 basis-48"
      >
        {(control) => (
          <Input
            {...control}
            value={note}
            onChange={(event) => onNote(event.target.value)}
            maxLength={1000}
            autoComplete="off"
          />
        )}
      </Field>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
        {dirty ? (
          <Button variant="ghost" onClick={onDiscard}>
            Discard
          </Button>
        ) : null}
        <Button onClick={onCheck} pending={checking} disabled={!canCheck || writing}>
          {checking ? null : <ShieldCheck aria-hidden />} Check
        </Button>
        <Button
          variant="primary"
          onClick={onSave}
          pending={saving}
          disabled={!dirty || writing}
          title={mod === "⌘" ? "⌘S" : "Ctrl+S"}
          aria-keyshortcuts="Control+S Meta+S"
        >
          {saving ? null : <Save aria-hidden />} {isNew ? "Create template" : "Save as a new version"}
        </Button>
      </div>
    </div>
  );
}
