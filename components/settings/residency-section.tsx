"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { residencyUpdateSchema, type Residency } from "../../server/residency/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextareaField } from "../ui/form-fields.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

/** Where data of the organisation may be processed; each change asks for its reason. */
export function ResidencySection() {
  const trpc = useTRPC();
  const query = useQuery(trpc.residency.get.queryOptions());
  const [change, setChange] = useState<{ withdraw: string | null } | null>(null);
  const residency = query.data;
  return (
    <>
      <Card>
        <CardHeader
          title="Regions"
          description="Where your data may be processed. Connections, shorteners and the AI service elsewhere are not used."
          actions={
            residency ? (
              <Button size="sm" onClick={() => setChange({ withdraw: null })}>
                <Plus aria-hidden /> Allow region
              </Button>
            ) : null
          }
        />
        {residency ? (
          <Regions residency={residency} onWithdraw={(code) => setChange({ withdraw: code })} />
        ) : query.isError ? (
          <QueryFailed what="the regions" query={query} />
        ) : (
          <div className="grid gap-3 px-4 pb-4" aria-busy>
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
          </div>
        )}
      </Card>
      {change && residency ? (
        <ChangeDialog residency={residency} withdraw={change.withdraw} onClose={() => setChange(null)} />
      ) : null}
    </>
  );
}

function Regions({ residency, onWithdraw }: { residency: Residency; onWithdraw: (code: string) => void }) {
  const { dataRegion, allowedTransferRegions: allowed, uses } = residency;
  const refused = uses.filter((use) => !use.allowed);
  const used = (code: string) => uses.filter((use) => use.region === code).map(nameOf);
  return (
    <div className="px-4 pb-4 text-sm">
      <ul className="divide-y divide-line">
        <Region
          name={dataRegion.name}
          code={dataRegion.code}
          note="Your own region"
          uses={used(dataRegion.code)}
        />
        {allowed.map((region) => (
          <Region
            key={region.code}
            name={region.name}
            code={region.code}
            note={
              <>
                {region.since === null ? (
                  "Transfer allowed"
                ) : (
                  <>
                    Transfer allowed <RelativeTime value={region.since} /> by {region.by}
                  </>
                )}
                {region.reason ? `: ${region.reason}` : null}
              </>
            }
            uses={used(region.code)}
            action={
              <Button size="sm" variant="quietDanger" onClick={() => onWithdraw(region.code)}>
                Withdraw
              </Button>
            }
          />
        ))}
      </ul>
      {refused.length > 0 ? (
        <p className="mt-3 rounded-md bg-warning-soft px-3 py-2.5 text-warning-text">
          Not used, because the region is not allowed:{" "}
          {refused.map((use) => `${nameOf(use)} in ${use.region}`).join(", ")}.
        </p>
      ) : null}
    </div>
  );
}

function Region({
  name,
  code,
  note,
  uses,
  action,
}: {
  name: string;
  code: string;
  note: ReactNode;
  uses: readonly string[];
  action?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="flex items-center gap-2 font-medium">
          {name} <Badge tone="neutral">{code}</Badge>
        </p>
        <p className="mt-0.5 break-words text-ink-muted">{note}</p>
        {uses.length > 0 ? (
          <p className="mt-0.5 break-words text-ink-muted">Used by {uses.join(", ")}</p>
        ) : null}
      </div>
      {action}
    </li>
  );
}

function nameOf(use: Residency["uses"][number]): string {
  return use.kind === "shortener"
    ? `the shortener of ${use.name}`
    : use.kind === "ai"
      ? "the AI service"
      : use.name;
}

function ChangeDialog({
  residency,
  withdraw,
  onClose,
}: {
  residency: Residency;
  /** The region to withdraw; null: one is to be allowed. */
  withdraw: string | null;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const current = residency.allowedTransferRegions.map((region) => region.code);
  const choices = residency.regions.filter((region) => !current.includes(region.code));
  const update = useMutation(trpc.residency.update.mutationOptions());
  const form = useOperationForm({
    schema: residencyUpdateSchema,
    defaultValues: { allowedTransferRegions: withdraw ?? "", reason: "" },
    input: ({ allowedTransferRegions: code, reason }) => ({
      allowedTransferRegions:
        withdraw === null ? [...current, code] : current.filter((each) => each !== code),
      reason,
      expected: current,
    }),
    send: async (input) => {
      const saved = await update.mutateAsync(input);
      queryClient.setQueryData(trpc.residency.get.queryKey(), saved);
      toast.success(withdraw === null ? `Transfer allowed to ${name}` : `Transfer withdrawn for ${name}`);
      onClose();
      await queryClient.invalidateQueries();
    },
  });
  const { allowedTransferRegions: code = "", reason = "" } = useWatch({ control: form.control });
  const name =
    [...residency.regions, ...residency.allowedTransferRegions].find((each) => each.code === code)?.name ??
    code;
  const affected = residency.uses.filter((use) => use.region === code);
  return (
    <FormDialog
      form={form}
      title={withdraw === null ? "Allow transfer to a region" : `Withdraw transfer to ${name}?`}
      description="Takes effect within two seconds. The audit trail records your name and reason."
      submitLabel={withdraw === null ? "Allow transfer" : "Withdraw"}
      danger={withdraw !== null}
      disabled={code === "" || reason.trim() === ""}
      onClose={onClose}
    >
      {withdraw === null ? (
        <SelectField
          {...form.field("allowedTransferRegions")}
          label="Region"
          options={choices.map((each) => ({ value: each.code, label: each.name, hint: each.code }))}
        />
      ) : (
        <p className="text-sm text-ink-muted">
          {affected.length === 0
            ? "Nothing you use processes data there."
            : `Nothing is sent any longer through ${affected.map(nameOf).join(", ")}.`}
        </p>
      )}
      <TextareaField
        {...form.field("reason")}
        label="Reason"
        hint="Such as the contract or assessment behind it."
        maxLength={1000}
        rows={3}
        required
      />
    </FormDialog>
  );
}
