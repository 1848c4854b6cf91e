"use client";

import { CircleAlert, CloudOff, ShieldX, Users } from "lucide-react";
import type { Template } from "../../../server/templates/schemas.ts";
import { usePortal } from "../../portal/portal-context.tsx";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { partName } from "./draft-pointer.ts";
import { Notice } from "./draft-notices.tsx";
import type { FixableProblem, QuickFix } from "./quick-fix.ts";
import type { Refusal } from "./save-outcome.ts";
import { dateFormat } from "../../ui/intl.ts";

export type Complaint = FixableProblem & { detail: string };

/** Why the last save or check did not happen, with the next step. Nothing that was typed is touched. */
export function SaveProblems({
  what,
  refusal,
  complaints,
  theirs,
  pending,
  onAgain,
  onCompare,
  onSaveMine,
  onLocate,
  fixOf,
  onFix,
}: {
  what: "save" | "check";
  refusal: Refusal;
  /** What stands against the draft in detail, when it is invalid. */
  complaints: readonly Complaint[];
  theirs: Template | null;
  pending: boolean;
  onAgain: () => void;
  onCompare: () => void;
  onSaveMine: () => void;
  onLocate: (complaint: Complaint) => void;
  fixOf: (complaint: Complaint) => QuickFix | null;
  onFix: (fix: QuickFix) => void;
}) {
  const failed = what === "save" ? "Not saved" : "Not checked";
  switch (refusal.kind) {
    case "blocked":
      return (
        <Notice tone="danger" icon={ShieldX} alert>
          Not saved: moderation refuses the text as it is. Your text is kept; change the places below and save
          again.
        </Notice>
      );
    case "unavailable":
      return (
        <Notice tone="danger" icon={CloudOff} alert actions={<Again onClick={onAgain} pending={pending} />}>
          {failed}: the text couldn't be moderated. {refusal.text} Your text is kept.
        </Notice>
      );
    case "conflict":
      return <Conflict {...{ text: refusal.text, theirs, pending, onAgain, onCompare, onSaveMine }} />;
    case "exists":
      return <Exists existing={refusal.existing} />;
    case "invalid":
      return (
        <Notice tone="danger" icon={CircleAlert} alert>
          <p>{complaints.length > 0 ? `${failed}. Check these places:` : refusal.text}</p>
          <ul className="mt-1 list-inside list-disc">
            {complaints.slice(0, 12).map((complaint, index) => {
              const fix = fixOf(complaint);
              return (
                <li key={index}>
                  <button
                    type="button"
                    className="rounded-sm text-left underline decoration-dotted underline-offset-3 hover:decoration-solid"
                    onClick={() => onLocate(complaint)}
                  >
                    {partName(complaint.pointer)}
                    {complaint.line === null
                      ? ""
                      : `, line ${complaint.line}${complaint.column === null ? "" : `, column ${complaint.column}`}`}
                  </button>
                  : {complaint.detail}
                  {fix ? (
                    <Button size="sm" className="ml-2 align-middle" onClick={() => onFix(fix)}>
                      {fix.label}
                    </Button>
                  ) : null}
                </li>
              );
            })}
          </ul>
          {complaints.length > 12 ? <p>And {complaints.length - 12} more.</p> : null}
        </Notice>
      );
    case "other":
      return (
        <Notice
          tone="danger"
          icon={CircleAlert}
          alert
          actions={<Again onClick={onAgain} pending={pending} />}
        >
          {failed}. {refusal.text} Your text is kept.
        </Notice>
      );
  }
}

function Exists({ existing }: { existing: { id: string; name: string } }) {
  const { href } = usePortal();
  return (
    <Notice
      tone="danger"
      icon={CircleAlert}
      alert
      actions={
        <Button asChild size="sm">
          <Link href={href(`/templates/${existing.id}`)}>Open {existing.name}</Link>
        </Button>
      }
    >
      Not saved: the template {existing.name} serves this audience already. Save a new version of it, or
      choose another audience: the type, region, language or provider. Your text is kept.
    </Notice>
  );
}

function Again({ onClick, pending }: { onClick: () => void; pending: boolean }) {
  return (
    <Button size="sm" onClick={onClick} pending={pending}>
      Try again
    </Button>
  );
}

function Conflict({
  text,
  theirs,
  pending,
  onAgain,
  onCompare,
  onSaveMine,
}: {
  text: string;
  theirs: Template | null;
  pending: boolean;
  onAgain: () => void;
  onCompare: () => void;
  onSaveMine: () => void;
}) {
  const newest = theirs?.versions[0];
  if (theirs?.archivedAt !== null || !newest) {
    return (
      <Notice tone="danger" icon={Users} alert actions={<Again onClick={onAgain} pending={pending} />}>
        Not saved. {text} Your text is kept.
      </Notice>
    );
  }
  const when = dateFormat({
    dateStyle: "medium",
    timeStyle: "short",
  }).format(new Date(newest.createdAt));
  return (
    <Notice
      tone="danger"
      icon={Users}
      alert
      actions={
        <>
          <Button size="sm" onClick={onCompare}>
            Compare
          </Button>
          <Button size="sm" onClick={onSaveMine} pending={pending}>
            Save mine as the next version
          </Button>
        </>
      }
    >
      Not saved: {newest.author} saved version {theirs.latestVersion} in the meantime ({when}). Your text is
      kept.
    </Notice>
  );
}
