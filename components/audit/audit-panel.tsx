"use client";

import { useQuery } from "@tanstack/react-query";
import type { AuditEventView } from "../../server/audit/schemas.ts";
import { usePortal, usePortalData } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Facts } from "../ui/card.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { CopyableId } from "../ui/copy-button.tsx";
import { formatNumber } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { ActorName, nameOf } from "./audit-columns.tsx";
import { actionLabel, memberLabel, targetLabel, targetPath } from "./audit-words.ts";
import { differencesOf } from "./differences.ts";

const mostLines = 300;

/** The entry that is open beside the list. */
export function AuditPanel({
  id,
  known,
  onClose,
  onThing,
}: {
  id: string;
  /** The entry, when the list has it. */
  known: AuditEventView | undefined;
  onClose: () => void;
  /** Shows everything that happened to a thing. */
  onThing: (targetId: string) => void;
}) {
  const trpc = useTRPC();
  const query = useQuery(trpc.audit.get.queryOptions({ id }, { enabled: known === undefined }));
  const event = known ?? query.data;
  useShortcut("Escape", onClose, { label: "Close panel" });
  return (
    <Sheet
      open
      onClose={onClose}
      title={event ? actionLabel(event.action) : "Entry"}
      subtitle={
        event ? (
          <span className="flex flex-wrap items-center gap-x-2">
            <ActorName event={event} /> <AbsoluteTime value={event.at} />
          </span>
        ) : undefined
      }
    >
      {event ? (
        <Content event={event} onThing={onThing} />
      ) : query.isError ? (
        <QueryFailed what="this entry" query={query} />
      ) : (
        <div className="grid gap-3 px-5 py-5" aria-busy>
          <Skeleton className="w-3/4" />
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
        </div>
      )}
    </Sheet>
  );
}

function Content({ event, onThing }: { event: AuditEventView; onThing: (targetId: string) => void }) {
  const { environments, units, href } = usePortal();
  // The name stands with the thing.
  const { before, after, name: _name, ...details } = event.data;
  const path = targetPath(event.targetType, event.targetId);
  const name = nameOf(event);
  const link = "text-accent-text underline-offset-4 hover:underline";
  const { targetId } = event;
  return (
    <>
      {before !== undefined || after !== undefined ? (
        <Section
          title={
            before === undefined
              ? "Created with"
              : after === undefined
                ? "Before it was deleted"
                : "What changed"
          }
        >
          <Changes before={before} after={after} />
        </Section>
      ) : null}
      {Object.keys(details).length > 0 ? (
        <Section title="Details">
          <Facts
            items={Object.entries(details).map(([member, value]) => ({
              label: memberLabel(member),
              value: <Value value={value} label={memberLabel(member)} />,
            }))}
          />
        </Section>
      ) : null}
      <Section title="Entry">
        <Facts
          items={[
            {
              label: "Target",
              value: (
                <span>
                  {targetLabel(event.targetType)}{" "}
                  {path ? (
                    <Link href={href(path)} className={link}>
                      {name ?? "Open"}
                    </Link>
                  ) : (
                    name
                  )}
                </span>
              ),
            },
            targetId
              ? {
                  label: "Target ID",
                  value: (
                    <span className="grid justify-items-start">
                      <CopyableId value={targetId} label="Copy the target ID" />
                      <button type="button" className={link} onClick={() => onThing(targetId)}>
                        All changes to it
                      </button>
                    </span>
                  ),
                }
              : null,
            event.environmentId
              ? {
                  label: "Environment",
                  value:
                    environments.find((each) => each.id === event.environmentId)?.name ?? "Deleted since",
                }
              : null,
            event.unitId
              ? {
                  label: "Team",
                  value: units.find((each) => each.id === event.unitId)?.name ?? "Deleted since",
                }
              : null,
            {
              label: "Position",
              value:
                event.sequence === null
                  ? "Added to the chain within seconds"
                  : `Entry ${formatNumber(event.sequence)} of the chain`,
            },
            { label: "Request", value: <CopyableId value={event.requestId} label="Copy the request ID" /> },
            { label: "Event", value: <CopyableId value={event.id} label="Copy the event ID" /> },
          ]}
        />
      </Section>
    </>
  );
}

/** Ids of what the reader knows by name are shown by that name. */
function useNames(): (value: string) => string {
  const { environments, units, applications } = usePortalData();
  const names = new Map([
    ...environments.map(({ id, name }) => [id, name] as const),
    ...units.map(({ id, name }) => [id, name] as const),
    ...applications.map(({ id, title }) => [id, title] as const),
  ]);
  return (value) =>
    value
      .split(", ")
      .map((part) => names.get(part) ?? part)
      .join(", ");
}

function Changes({ before, after }: { before: unknown; after: unknown }) {
  const named = useNames();
  const all = differencesOf(before, after);
  if (all.length === 0) return <p className="text-sm text-ink-muted">No recorded values changed.</p>;
  return (
    <>
      <dl className="grid gap-2.5 text-sm">
        {all.slice(0, mostLines).map((each) => (
          <div key={each.path} className="min-w-0">
            <dt className="text-xs text-ink-muted">{memberLabel(each.path)}</dt>
            <dd className="grid gap-0.5 break-words">
              {each.before === undefined ? null : (
                <del className="rounded-sm bg-danger-soft px-1.5 py-0.5 text-danger-text no-underline">
                  <span aria-hidden className="mr-1.5 font-mono">
                    −
                  </span>
                  <span className="sr-only">Before: </span>
                  {named(each.before)}
                </del>
              )}
              {each.after === undefined ? null : (
                <ins className="rounded-sm bg-success-soft px-1.5 py-0.5 text-success-text no-underline">
                  <span aria-hidden className="mr-1.5 font-mono">
                    +
                  </span>
                  <span className="sr-only">After: </span>
                  {named(each.after)}
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {all.length > mostLines ? (
        <p className="mt-3 text-xs text-ink-muted">
          {formatNumber(all.length - mostLines)} more lines. The export contains all of them.
        </p>
      ) : null}
    </>
  );
}

function Value({ value, label }: { value: unknown; label: string }) {
  if (value === null) return <span className="text-ink-muted">none</span>;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    return value.length === 0 ? <span className="text-ink-muted">none</span> : value.join(", ");
  }
  return <CodeBlock code={JSON.stringify(value, null, 2)} label={label} />;
}
