"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { memo, useCallback, useDeferredValue, useMemo, useState } from "react";
import { toast } from "../../ui/toast.ts";
import type { Template } from "../../../server/templates/schemas.ts";
import { FindingList } from "../../editor/finding-list.tsx";
import { variableUses } from "../../editor/liquid-scan.ts";
import { locateFinding, type EditorFinding } from "../../editor/locate-finding.ts";
import { usePortal } from "../../portal/portal-context.tsx";
import { useShortcut } from "../../shortcuts/shortcuts.tsx";
import { cn } from "../../ui/cn.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { AiPanel } from "../ai/ai-panel.tsx";
import { contentOf, draftOf, type Draft } from "../draft.ts";
import type { MailBlock } from "../mail/blocks.ts";
import { insertBlock } from "../mail/insert-block.ts";
import { withStarter } from "../mail/with-starter.ts";
import type { MailStarter } from "../mail/starters.ts";
import { HistoryPanel } from "../history/history-panel.tsx";
import { restoreVersion } from "../history/restore-version.ts";
import { PreviewPane } from "../preview/preview-pane.tsx";
import { useDraftPreview } from "../preview/use-draft-preview.ts";
import { AudienceForm } from "./audience-form.tsx";
import { DetailsForm } from "./details-form.tsx";
import { DraftNotices } from "./draft-notices.tsx";
import { partName, textAt, withTextAt } from "./draft-pointer.ts";
import { focusWrongField, listComplaints, panelOf } from "./locate-field.ts";
import type { Panel } from "./panel-tabs.tsx";
import { declare, quickFix, switchToMjml, type QuickFix } from "./quick-fix.ts";
import { SaveBar } from "./save-bar.tsx";
import { SaveProblems } from "./save-problems.tsx";
import type { StoredDraft } from "./stored-draft.ts";
import { TextPanel } from "./text-panel.tsx";
import { useCheck } from "./use-check.ts";
import { useComplaints, type Judged } from "./use-complaints.ts";
import { useDraft } from "./use-draft.ts";
import { useSave } from "./use-save.ts";
import { isTextPart, useTextEditor } from "./use-text-editor.ts";
import { previewable, validateDraft } from "./validate-draft.ts";
import { VariablesForm } from "./variables-form.tsx";
import { useWorkspaceLayout, WorkspaceLayout } from "./workspace-layout.tsx";

const ConflictDialog = dynamic(() => import("./conflict-dialog.tsx").then((module) => module.ConflictDialog));

/** Longer texts are not sent to be previewed: they cannot be saved either. In UTF-16 code units. */
const longestPreview = 256 * 1024;
const Preview = memo(PreviewPane);

/** Writes a new template, or the next version of one: settings, text and preview. */
export function Workspace({
  template,
  found,
  fresh,
  copied,
  copiedFrom,
}: {
  template?: Template | undefined;
  /** What this device kept of it. */
  found: StoredDraft | null;
  fresh: Draft;
  /** A new template that starts with the text of another one. */
  copied?: Draft | undefined;
  /** Id of that one. */
  copiedFrom?: string | undefined;
}) {
  const { href } = usePortal();
  const router = useRouter();
  const isNew = template === undefined;
  const layout = useWorkspaceLayout(isNew ? "audience" : "variables");
  const { part, open: openPart, attach, withEditor } = useTextEditor();
  const kept = useDraft(template, found, fresh, copied, copiedFrom);
  const { draft, dirty, change } = kept;

  // The text is drawn at once; what looks at all of it may come a moment later.
  const settled = useDeferredValue(draft);
  const tooLong = settled.body.length > longestPreview;
  const shown = useMemo(() => previewable(settled, validateDraft(settled, false)), [settled]);
  const preview = useDraftPreview(tooLong ? { ...shown, body: "" } : shown, template?.id);

  const [judged, setJudged] = useState<Judged | null>(() =>
    template ? { findings: template.moderation.findings, draft: draftOf(template) } : null,
  );
  const [attempted, setAttempted] = useState(false);
  const saving = useSave(template, (result, sent) => {
    kept.accept(result, sent);
    setAttempted(false);
    setJudged({ findings: result.moderation.findings, draft: sent });
    if (isNew) router.replace(href(`/templates/${result.id}/edit`));
  });
  const { tried, setTried, theirs } = saving;
  const checking = useCheck(setJudged, setTried);
  const refusedFindings = tried?.refusal.kind === "blocked" ? tried.refusal.findings : null;
  const complaints = useComplaints(draft, {
    preview: tooLong || preview.empty ? undefined : preview.answer,
    tried,
    judged: refusedFindings && tried ? { findings: refusedFindings, draft: tried.draft } : judged,
    attempted,
    isNew,
  });
  const listed = listComplaints(complaints);

  /** A text is being written into the draft by AI. */
  const [writing, setWriting] = useState(false);
  const [comparing, setComparing] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const newer = theirs ?? (template && kept.baseVersion !== template.latestVersion ? template : null);

  const { show } = layout;
  const locate = useCallback(
    (pointer: string, line: number | null, column: number | null) => {
      show(panelOf(pointer));
      if (isTextPart(pointer)) {
        withEditor(pointer, (text) => (line === null ? text.focus() : text.goTo(line, column ?? 1)));
      } else focusWrongField(panelOf(pointer));
    },
    [show, withEditor],
  );
  const setBody = useCallback(
    (body: string) => withEditor("/body", (text) => text.replaceAll(body)),
    [withEditor],
  );

  const { change: changeDraft } = kept;
  const applyFix = useCallback(
    (fix: QuickFix) => {
      changeDraft(fix.change);
      toast.success(
        fix.label === "Use MJML" ? "The body is MJML now" : fix.label.replace("Declare", "Declared"),
      );
    },
    [changeDraft],
  );

  function addBlock(block: MailBlock) {
    if (draft.metadata.format === "mjml" && draft.body.trim() !== "") {
      withEditor("/body", (text) => {
        const edit = insertBlock(text.text(), text.cursor(), block);
        if (!edit) {
          toast.error("There is no mj-body to insert it into");
          return;
        }
        text.applyEdit(edit.start, edit.end, edit.text);
        text.reveal(edit.start, edit.start + edit.text.length);
      });
      return;
    }
    const before = draft;
    const mjml = switchToMjml(
      draft.body.trim() === "" ? { ...draft, body: "<mjml>\n  <mj-body />\n</mjml>\n" } : draft,
    );
    const body = mjml.body ?? draft.body;
    const edit = insertBlock(body, body.length, block);
    if (!edit) return;
    change({ ...mjml, body: body.slice(0, edit.start) + edit.text + body.slice(edit.end) });
    toast.success("The body is MJML now", {
      action: { label: "Undo", onClick: () => change({ body: before.body, metadata: before.metadata }) },
    });
  }
  function startFrom(starter: MailStarter) {
    const { subject, body, metadata, variables } = draft;
    change(withStarter(draft, starter));
    toast.success(`Started from “${starter.label}”`, {
      action: { label: "Undo", onClick: () => change({ subject, body, metadata, variables }) },
    });
  }

  function trySaving(expectedVersion: number | null) {
    if (saving.pending || writing) return;
    setAttempted(true);
    const [first] = Object.keys(complaints.rules);
    if (first !== undefined) {
      setTried({ what: "save", refusal: { kind: "invalid", text: "", problems: [] }, draft });
      // Fields say what is wrong with them only from now on.
      requestAnimationFrame(() => locate(first, null, null));
      return;
    }
    saving.save(draft, isNew ? null : expectedVersion);
  }
  function save() {
    if (!dirty) toast.info("Everything is saved");
    else if (writing) toast.info("AI is still writing. Save when the text is complete");
    else trySaving(kept.baseVersion);
  }
  useShortcut("mod+s", save, { label: "Save" });

  function saveMine() {
    setComparing(false);
    if (newer) trySaving(newer.latestVersion);
  }
  function discard() {
    setDiscarding(false);
    setComparing(false);
    kept.discard(newer ?? template);
    setAttempted(false);
    setTried(null);
    saving.setTheirs(null);
    if (template) setJudged({ findings: template.moderation.findings, draft: draftOf(template) });
    toast.success("Draft discarded", {
      action: { label: "Undo", onClick: () => change(draft) },
      duration: 10_000,
    });
  }
  function placeOf(finding: EditorFinding) {
    return locateFinding(finding, textAt(draft, finding.pointer) ?? "");
  }
  function showFinding(finding: EditorFinding) {
    const { pointer } = finding;
    const place = placeOf(finding);
    show(panelOf(pointer));
    if (isTextPart(pointer) && place) withEditor(pointer, (text) => text.reveal(place.start, place.end));
  }
  function applySuggestion(finding: EditorFinding, suggestion: string) {
    const { pointer } = finding;
    const place = placeOf(finding);
    const text = textAt(draft, pointer);
    if (!place || text === null) return;
    // A suggestion may put a variable in the place of somebody's data.
    const names = [...new Set(variableUses(suggestion).map((use) => use.name))];
    const missing = names.filter((name) => !draft.variables.some((variable) => variable.name === name));
    if (missing.length > 0) {
      change((now) => declare(now, missing));
      toast.info(`Declared ${missing.join(", ")}`, { description: "Give it an example under Variables." });
    }
    if (isTextPart(pointer) && layout.columns > 1) {
      // In the editor, so that it can be undone there.
      withEditor(pointer, (each) => each.applyEdit(place.start, place.end, suggestion));
    } else {
      change(withTextAt(draft, pointer, text.slice(0, place.start) + suggestion + text.slice(place.end)));
    }
  }

  const wrongIn = (panel: string) =>
    Object.keys(complaints.fields).filter((pointer) => panelOf(pointer) === panel).length;
  const panels: Panel[] = [
    ...(isNew
      ? [
          {
            id: "audience",
            label: "Audience",
            wrong: wrongIn("audience"),
            content: <AudienceForm draft={draft} problems={complaints.fields} onChange={change} />,
          },
        ]
      : []),
    {
      id: "variables",
      label: "Variables",
      wrong: wrongIn("variables"),
      content: (
        <VariablesForm
          draft={draft}
          problems={complaints.fields}
          onChange={(variables) => change({ variables })}
          onInsert={(name) => {
            show("text");
            withEditor(part, (text) => text.insert(`{{ ${name} }}`));
          }}
        />
      ),
    },
    {
      id: "details",
      label: "Details",
      wrong: wrongIn("details"),
      content: (
        <DetailsForm
          channel={draft.channel}
          metadata={draft.metadata}
          problems={complaints.fields}
          onChange={(metadata) =>
            change(
              metadata.format === "mjml" && draft.metadata.format !== "mjml"
                ? switchToMjml({ ...draft, metadata })
                : { metadata },
            )
          }
        />
      ),
    },
    {
      id: "ai",
      label: "AI",
      content: (
        <AiPanel
          draft={settled}
          templateId={template?.id}
          onApply={change}
          onBusyChange={setWriting}
          className="pb-4"
        />
      ),
    },
    ...(template
      ? [
          {
            id: "history",
            label: "History",
            content: (
              <HistoryPanel
                templateId={template.id}
                current={kept.baseVersion ?? undefined}
                draft={contentOf(settled)}
                onRestore={(version) => restoreVersion(version, draft, change)}
                className="overflow-hidden rounded-md border border-line bg-surface"
              />
            ),
          },
        ]
      : []),
  ];

  const hasNews =
    tried &&
    (tried.refusal.kind !== "invalid" || listed.length > 0) &&
    (tried.refusal.kind !== "blocked" || complaints.findings.some((each) => each.severity === "block"));
  const text = (
    <div className={layout.columns === 1 ? "grid grid-cols-1 gap-3" : "flex min-h-0 flex-1 flex-col gap-3"}>
      <div
        className={cn(
          "grid shrink-0 grid-cols-1 gap-2 empty:hidden",
          layout.columns > 1 && "max-h-[45%] overflow-y-auto",
        )}
      >
        <DraftNotices
          restored={kept.restored}
          kept={kept.kept}
          baseVersion={kept.baseVersion}
          latest={tried?.refusal.kind === "conflict" ? undefined : (newer ?? template)}
          onCompare={() => setComparing(true)}
          onDiscard={() => setDiscarding(true)}
        />
        {hasNews ? (
          <SaveProblems
            what={tried.what}
            refusal={tried.refusal}
            complaints={listed}
            theirs={theirs}
            pending={saving.pending || checking.pending}
            onAgain={() => (tried.what === "check" ? checking.check(draft) : trySaving(kept.baseVersion))}
            onCompare={() => setComparing(true)}
            onSaveMine={saveMine}
            onLocate={(complaint) => locate(complaint.pointer, complaint.line, complaint.column)}
            fixOf={(complaint) => quickFix(draft, complaint)}
            onFix={applyFix}
          />
        ) : null}
        {complaints.findings.length > 0 ? (
          <FindingList
            findings={complaints.findings}
            partName={partName}
            onShow={showFinding}
            onApply={applySuggestion}
          />
        ) : null}
      </div>
      <TextPanel
        draft={draft}
        part={part}
        onPart={openPart}
        fields={complaints.fields}
        problems={complaints.problems}
        findings={complaints.findings}
        readOnly={writing}
        fill={layout.columns > 1}
        onChange={change}
        onSave={save}
        onInsertBlock={addBlock}
        onStarter={isNew ? startFrom : undefined}
        ref={attach}
      />
      <SaveBar
        note={draft.note}
        noteProblem={complaints.fields["/note"]}
        isNew={isNew}
        dirty={dirty}
        writing={writing}
        saving={saving.pending}
        checking={checking.pending}
        canCheck={draft.body.trim() !== "" && !tooLong}
        onNote={(note) => change({ note })}
        onCheck={() => checking.check(draft)}
        onSave={save}
        onDiscard={() => setDiscarding(true)}
      />
    </div>
  );

  return (
    <>
      <WorkspaceLayout
        layout={layout}
        panels={panels}
        text={text}
        preview={
          tooLong ? (
            <p className="rounded-lg border border-dashed border-line-strong px-6 py-16 text-center text-sm text-balance text-ink-muted">
              This text is too long to be sent, so there is no preview of it.
            </p>
          ) : (
            <Preview
              draft={shown}
              known={template}
              unsaved={dirty}
              onLocate={locate}
              onBodyChange={setBody}
              onFix={applyFix}
            />
          )
        }
      />
      {newer && kept.baseVersion !== null ? (
        <ConflictDialog
          open={comparing}
          onClose={() => setComparing(false)}
          theirs={newer}
          draft={draft}
          baseVersion={kept.baseVersion}
          pending={saving.pending}
          onSaveMine={saveMine}
          onRebase={() => {
            kept.rebase(newer);
            setTried(null);
            saving.setTheirs(null);
            setComparing(false);
          }}
          onTakeTheirs={discard}
        />
      ) : null}
      <ConfirmDialog
        open={discarding}
        onClose={() => setDiscarding(false)}
        title="Discard the draft?"
        confirmLabel="Discard draft"
        onConfirm={discard}
      >
        What you wrote since {kept.baseVersion === null ? "you began" : `version ${kept.baseVersion}`} is
        removed.
      </ConfirmDialog>
      {dirty ? (
        <LeaveGuard>
          {kept.kept
            ? "Your draft stays in this browser and is here when you come back."
            : "This browser can't keep your draft. Your changes will be lost."}
        </LeaveGuard>
      ) : null}
    </>
  );
}
