"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { ScrollText } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { suspendOrganisationSchema } from "../../server/console/schemas.ts";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { CopyableId } from "../ui/copy-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField, TextareaField } from "../ui/form-fields.tsx";
import { Input } from "../ui/input.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { useConsole } from "./client.tsx";
import { ConsoleHeader } from "./console-header.tsx";
import { DeletionCard } from "./deletion-card.tsx";
import { FeesCard } from "./fees-card.tsx";
import { OrganisationState } from "./organisation-state.tsx";
import { QuotaCard } from "./quota-card.tsx";

type Organisation = inferRouterOutputs<ConsoleRouter>["organisations"]["get"];
const back = { href: "/console/organisations", label: "Organisations" };

/** One organisation: what it is, what is charged, and stopping it. */
export function OrganisationPage({ id }: { id: string }) {
  const api = useConsole();
  const query = useQuery(
    api.organisations.get.queryOptions(
      { id },
      {
        refetchInterval: (current) =>
          current.state.data?.resuming || current.state.data?.deletion?.startedAt ? 10_000 : false,
      },
    ),
  );
  const organisation = query.data;
  if (query.isError && !organisation) {
    return (
      <PageFrame>
        <ConsoleHeader title="Organisation" back={back} />
        <QueryFailed what="this organisation" query={query} />
      </PageFrame>
    );
  }
  if (!organisation) {
    return (
      <PageFrame>
        <ConsoleHeader title={<Skeleton className="h-6 w-48" />} documentTitle="Organisation" back={back} />
        <Card className="grid gap-3 p-4" aria-busy>
          <Skeleton className="w-2/5" />
          <Skeleton className="w-3/5" />
          <Skeleton className="w-1/3" />
        </Card>
      </PageFrame>
    );
  }
  return (
    <PageFrame>
      <ConsoleHeader
        title={organisation.name}
        badge={<OrganisationState organisation={organisation} />}
        back={back}
        actions={
          <Button asChild>
            <Link href={`/console/log?organisation=${organisation.id}`}>
              <ScrollText aria-hidden /> Operator log
            </Link>
          </Button>
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card>
          <CardHeader title="Facts" />
          <Facts
            className="px-4 pb-4"
            items={[
              { label: "Short name", value: <code className="font-mono text-xs">{organisation.slug}</code> },
              { label: "ID", value: <CopyableId value={organisation.id} label="Copy ID" /> },
              { label: "Data region", value: organisation.dataRegion },
              { label: "Created", value: <AbsoluteTime value={organisation.createdAt} /> },
              organisation.suspendedAt
                ? { label: "Suspended", value: <AbsoluteTime value={organisation.suspendedAt} /> }
                : null,
            ]}
          />
        </Card>
        <FeesCard organisation={organisation} />
        <QuotaCard organisation={organisation} />
        {organisation.deletion ? null : <SuspensionCard organisation={organisation} />}
        <DeletionCard organisation={organisation} />
      </div>
    </PageFrame>
  );
}

function useChanged() {
  const api = useConsole();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: api.organisations.pathKey() });
}

function SuspensionCard({ organisation }: { organisation: Organisation }) {
  const api = useConsole();
  const changed = useChanged();
  const [asking, setAsking] = useState(false);
  const resume = useMutation(
    api.organisations.resume.mutationOptions({
      onSuccess: async () => {
        toast.success(`${organisation.name} has been reactivated`);
        setAsking(false);
        await changed();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  return (
    <Card className="lg:col-span-2">
      <CardHeader
        title={organisation.suspendedAt ? "Suspended" : "Suspend organisation"}
        description={
          organisation.suspendedAt
            ? "API keys are refused, members can't sign in and nothing is sent. Messages wait until they expire. Receipts and replies are still recorded."
            : "Within five seconds, API keys are refused, members are signed out and nothing is sent. Nothing is deleted, and you can reactivate it."
        }
        actions={
          organisation.suspendedAt ? (
            <Button variant="primary" onClick={() => setAsking(true)}>
              Reactivate…
            </Button>
          ) : (
            <Button variant="quietDanger" onClick={() => setAsking(true)}>
              Suspend…
            </Button>
          )
        }
      />
      {organisation.suspendedAt ? (
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          title={`Reactivate ${organisation.name}?`}
          confirmLabel="Reactivate"
          danger={false}
          pending={resume.isPending}
          onConfirm={() => resume.mutate({ id: organisation.id })}
        >
          Its keys and members work again immediately. Waiting messages that haven't expired are sent from the
          next minute on.
        </ConfirmDialog>
      ) : asking ? (
        <SuspendDialog organisation={organisation} onClose={() => setAsking(false)} />
      ) : null}
    </Card>
  );
}

function SuspendDialog({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) {
  const api = useConsole();
  const changed = useChanged();
  const suspend = useMutation(api.organisations.suspend.mutationOptions());
  const form = useOperationForm({
    schema: suspendOrganisationSchema,
    defaultValues: { reason: "", confirmation: "" },
    input: ({ reason }) => ({ id: organisation.id, reason: reason.trim() }),
    send: async (input) => {
      await suspend.mutateAsync(input);
      toast.success(`${organisation.name} is suspended`);
      onClose();
      await changed();
    },
  });
  const confirmed = form.watch("confirmation").trim() === organisation.slug;
  return (
    <FormDialog
      form={form}
      title={`Suspend ${organisation.name}?`}
      description="Nobody can use it and nothing is sent until you reactivate it."
      submitLabel="Suspend organisation"
      danger
      disabled={!confirmed}
      onClose={onClose}
    >
      <TextareaField
        {...form.field("reason")}
        label="Reason"
        hint="Shown in your log and in the organisation's audit trail."
        rows={3}
        maxLength={500}
        required
        autoFocus
      />
      <FormField {...form.field("confirmation")} label={`Type ${organisation.slug} to confirm`}>
        {(ids, field) => (
          <Input {...ids} {...field} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        )}
      </FormField>
    </FormDialog>
  );
}
