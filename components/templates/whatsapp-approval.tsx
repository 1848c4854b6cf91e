"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { CategoryChange, Template } from "../../server/templates/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatLocal, RelativeTime } from "../ui/time.tsx";
import { ApprovalBadge, approvalLabels } from "./approval-badge.tsx";

type Approval = NonNullable<Template["whatsappApproval"]>;

const SetApprovalDialog = dynamic(() =>
  import("./set-approval-dialog.tsx").then((module) => module.SetApprovalDialog),
);

/** Name and language at the provider of the approved template that a version names. */
function referenceOf(template: Template): { templateName: string; language: string } | null {
  const { templateName, language } = template.metadata as { templateName?: string; language?: string };
  return templateName === undefined ? null : { templateName, language: language ?? "" };
}

/** What the provider says of the approved WhatsApp template that the shown version names; nothing for other templates. */
export function WhatsappApproval({ template }: { template: Template }) {
  const { can } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("templates");
  const [editing, setEditing] = useState(false);
  const approval = template.whatsappApproval;
  const reference = referenceOf(template);
  const shown = approval !== null && reference !== null;
  const known = useQuery(
    trpc.templates.whatsappApprovals.queryOptions({ templateId: template.id }, { enabled: shown }),
  );
  const check = useMutation(
    trpc.templates.checkWhatsappApproval.mutationOptions({
      onSuccess: async ({ approval: told, connection, problem }) => {
        if (problem === null) {
          toast.success(
            `${connection ?? "The provider"} says: ${approvalLabels[told.status].label.toLowerCase()}`,
          );
        } else {
          toast.warning(connection === null ? problem : `${connection}: ${problem}`);
        }
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  if (!approval || !reference) return null;
  const entry = known.data?.data.find(
    (each) => each.templateName === reference.templateName && each.language === reference.language,
  );
  const changes = (known.data?.categoryChanges ?? []).filter(
    (each) => each.templateName === reference.templateName && each.language === reference.language,
  );
  const writable = can("templates:write") && template.archivedAt === null;

  return (
    <Card>
      <CardHeader
        title="WhatsApp approval"
        description={
          <>
            <span className="font-mono break-all">{reference.templateName}</span>
            {reference.language === "" ? null : ` in ${reference.language}`}
          </>
        }
        actions={<ApprovalBadge status={approval.status} />}
      />
      <div className="grid gap-3 px-4 pb-4 text-sm">
        {approval.reason === null ? null : (
          <p className="rounded-md bg-danger-soft px-3 py-2 break-words text-danger-text">
            {approval.reason}
          </p>
        )}
        <p className="text-ink-muted">
          {approval.source === "manual" ? (
            entry ? (
              <>
                Set manually by {entry.updatedBy}, <RelativeTime value={entry.updatedAt} />.
              </>
            ) : (
              "Set manually."
            )
          ) : approval.checkedAt === null ? (
            "The provider is checked within a few minutes."
          ) : (
            <>
              Last checked <RelativeTime value={approval.checkedAt} />.
            </>
          )}
        </p>
        <Category approval={approval} changes={changes} />
        {writable ? (
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              pending={check.isPending}
              onClick={() => check.mutate({ templateId: template.id, ...reference })}
            >
              Check now
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setEditing(true)}>
              Set manually
            </Button>
          </div>
        ) : null}
      </div>
      {editing ? (
        <SetApprovalDialog
          templateId={template.id}
          reference={reference}
          approval={approval}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </Card>
  );
}

const categories = { marketing: "Marketing", utility: "Utility", authentication: "Authentication" } as const;

/** What WhatsApp counts the template as, what that means for consent, and how it came to be. */
function Category({ approval, changes }: { approval: Approval; changes: readonly CategoryChange[] }) {
  const { category, nextCategory, nextCategoryAt } = approval;
  if (category === null && nextCategory === null) return null;
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      {category === null ? null : (
        <p>
          <span className="text-ink-muted">Category at WhatsApp:</span> {categories[category]}
        </p>
      )}
      {nextCategory === null || nextCategoryAt === null ? null : (
        <p className="rounded-md bg-warning-soft px-3 py-2 text-warning-text">
          {categories[nextCategory]} from {formatLocal(nextCategoryAt, true)}, as WhatsApp has announced.
        </p>
      )}
      {category === "marketing" || nextCategory === "marketing" ? (
        <p className="text-ink-muted">
          {category === "marketing" ? "It is sent" : "It is then sent"} only to people who may receive
          marketing, whatever the class of its type.
        </p>
      ) : null}
      {changes.length === 0 ? null : (
        <ul className="grid gap-1 text-ink-muted" aria-label="Category changes">
          {changes.slice(0, 5).map((change) => (
            <li key={change.id}>
              <RelativeTime value={change.at} />:{" "}
              {change.previous === null ? "" : `${categories[change.previous]} → `}
              {categories[change.category]}
              {change.effectiveAt > change.at ? `, from ${formatLocal(change.effectiveAt, true)}` : ""}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
