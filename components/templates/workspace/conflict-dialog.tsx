"use client";

import type { Template } from "../../../server/templates/schemas.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { AbsoluteTime } from "../../ui/time.tsx";
import { contentOf, type Draft } from "../draft.ts";
import { ContentDiff } from "../history/content-diff.tsx";

/** What somebody else saved beside what is being written here, and the ways on. */
export function ConflictDialog({
  open,
  onClose,
  theirs,
  draft,
  baseVersion,
  pending,
  onSaveMine,
  onRebase,
  onTakeTheirs,
}: {
  open: boolean;
  onClose: () => void;
  theirs: Template;
  draft: Draft;
  baseVersion: number;
  pending: boolean;
  onSaveMine: () => void;
  /** Go on writing, now on top of theirs. */
  onRebase: () => void;
  onTakeTheirs: () => void;
}) {
  const newest = theirs.versions[0];
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Version ${theirs.latestVersion} and your draft`}
      description={
        <>
          Your draft was made from version {baseVersion}. {newest?.author ?? "Someone"} saved version{" "}
          {theirs.latestVersion}
          {newest ? (
            <>
              {" "}
              on <AbsoluteTime value={newest.createdAt} />
            </>
          ) : null}
          {newest?.note ? `: “${newest.note}”` : "."}
        </>
      }
      className="max-w-5xl"
      footer={
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="quietDanger" onClick={onTakeTheirs}>
            Use theirs and discard mine
          </Button>
          <Button onClick={onRebase}>Keep editing mine</Button>
          <Button variant="primary" pending={pending} onClick={onSaveMine}>
            Save mine as version {theirs.latestVersion + 1}
          </Button>
        </div>
      }
    >
      <ContentDiff
        left={theirs}
        right={contentOf(draft)}
        leftLabel={`Theirs, version ${theirs.latestVersion}`}
        rightLabel="Your draft"
      />
    </Dialog>
  );
}
