"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import type { Template } from "../../server/templates/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { ApprovalBadge, approvalLabels, type ApprovalStatus } from "./approval-badge.tsx";

type Approval = NonNullable<Template["whatsappApproval"]>;

const statuses = Object.keys(approvalLabels) as ApprovalStatus[];
const needsReason = (status: ApprovalStatus) => status === "rejected" || status === "paused";

/** Name and language at the provider of the approved template that a version names. */
function referenceOf(template: Template): { templateName: string; language: string } | null {
  const { templateName, language } = template.metadata as { templateName?: string; language?: string };
  return templateName === undefined ? null : { templateName, language: language ?? "" };
}

/** What the provider says of the approved WhatsApp template that the shown version names; nothing for other templates. */
export function WhatsappApproval({ template }: { template: Template }) {
  const { can } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
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
        await queryClient.invalidateQueries({ queryKey: trpc.templates.pathKey() });
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  if (!approval || !reference) return null;
  const entry = known.data?.data.find(
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
                Set by hand by {entry.updatedBy}, <RelativeTime value={entry.updatedAt} />.
              </>
            ) : (
              "Set by hand."
            )
          ) : approval.checkedAt === null ? (
            "The provider is asked within a few minutes."
          ) : (
            <>
              The provider was asked <RelativeTime value={approval.checkedAt} />.
            </>
          )}
        </p>
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
              Set by hand
            </Button>
          </div>
        ) : null}
      </div>
      {editing ? (
        <SetApproval
          templateId={template.id}
          reference={reference}
          approval={approval}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </Card>
  );
}

function SetApproval({
  templateId,
  reference,
  approval,
  onClose,
}: {
  templateId: string;
  reference: { templateName: string; language: string };
  approval: Approval;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const formId = useId();
  const [status, setStatus] = useState<ApprovalStatus>(approval.status);
  const [reason, setReason] = useState(approval.reason ?? "");
  const save = useMutation(
    trpc.templates.setWhatsappApproval.mutationOptions({
      onSuccess: async (set) => {
        onClose();
        toast.success(`WhatsApp approval set to ${approvalLabels[set.status].label.toLowerCase()}`);
        await queryClient.invalidateQueries({ queryKey: trpc.templates.pathKey() });
      },
    }),
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Set the WhatsApp approval"
      description="For what you saw at the provider. It stays until somebody checks again; the audit trail keeps who set it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={save.isPending}>
            Set
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const why = reason.trim();
          save.mutate({
            templateId,
            ...reference,
            status,
            ...(needsReason(status) && why !== "" ? { reason: why } : {}),
          });
        }}
      >
        {save.error ? <FormError title={errorText(save.error)} /> : null}
        <Field label="Status">
          {({ id, "aria-describedby": describedBy }) => (
            <Select
              id={id}
              aria-describedby={describedBy}
              value={status}
              onValueChange={(value) => setStatus(value as ApprovalStatus)}
              options={statuses.map((value) => ({ value, label: approvalLabels[value].label }))}
              className="w-full"
            />
          )}
        </Field>
        {needsReason(status) ? (
          <Field label="Reason" optional hint="As the provider gives it.">
            {(control) => (
              <Input
                {...control}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                maxLength={1_000}
              />
            )}
          </Field>
        ) : null}
      </form>
    </Dialog>
  );
}
