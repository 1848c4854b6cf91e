"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { Building2, Plus } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { assignConsoleChannelSchema, lendConsoleChannelSchema } from "../../server/console/schemas.ts";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { errorCode, errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextareaField, TextField } from "../ui/form-fields.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { channelNames } from "./channel-names.ts";
import { readSenders, readSettings, writeSenders } from "./channel-texts.ts";
import { useConsole } from "./client.tsx";
import { ConsoleHeader } from "./console-header.tsx";

type Answer = inferRouterOutputs<ConsoleRouter>["channels"]["get"];
type Channel = Answer["channel"];
type Assignment = Answer["data"][number];
type Open = { what: "senders" | "take"; row: Assignment } | { what: "assign" } | null;
const back = { href: "/console/channels", label: "Channels" };

function useChanged() {
  const api = useConsole();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: api.channels.pathKey() });
}

const sendersOf = (row: Assignment) => row.senders.map(({ sender }) => sender).join(", ");

/** One of the service's own channels, and who has it. */
export function ChannelPage({ id }: { id: string }) {
  const api = useConsole();
  const [open, setOpen] = useState<Open>(null);
  const [view, setView] = useQueryStates({ cursor: parseAsString }, { history: "push" });
  const query = useQuery(
    api.channels.get.queryOptions(
      { channelId: id, cursor: view.cursor ?? undefined },
      { placeholderData: keepPreviousData },
    ),
  );
  const channel = query.data?.channel;
  const close = () => setOpen(null);
  if (query.isError && !channel) {
    return (
      <PageFrame>
        <ConsoleHeader title="Channel" back={back} />
        <QueryFailed what="this channel" query={query} />
      </PageFrame>
    );
  }
  const assign = (
    <Button variant="primary" disabled={!channel} onClick={() => setOpen({ what: "assign" })}>
      <Plus aria-hidden /> Assign
    </Button>
  );
  const actions = (row: Assignment) => (
    <span className="flex justify-end gap-1">
      <Button size="sm" onClick={() => setOpen({ what: "senders", row })}>
        Senders<span className="sr-only"> of {row.slug}</span>
      </Button>
      <Button size="sm" variant="quietDanger" onClick={() => setOpen({ what: "take", row })}>
        Take back<span className="sr-only"> from {row.slug}</span>
      </Button>
    </span>
  );
  const name = (row: Assignment) => (
    <Link href={`/console/organisations/${row.organisation}`} className="font-mono text-xs hover:underline">
      {row.slug}
    </Link>
  );
  const columns: DataColumn<Assignment>[] = [
    { id: "organisation", label: "Organisation", fixed: true, skeleton: "w-24", cell: name },
    {
      id: "connection",
      label: "Connection",
      skeleton: "w-32",
      className: "max-w-56",
      cell: (row) => <span className="block truncate">{row.connection}</span>,
    },
    {
      id: "senders",
      label: "Senders",
      skeleton: "w-32",
      className: "max-w-72",
      cell: (row) => (
        <span className="block truncate" title={sendersOf(row)}>
          {sendersOf(row) || <span className="text-ink-faint">The account’s default</span>}
        </span>
      ),
    },
    {
      id: "state",
      label: "State",
      skeleton: "w-10",
      cell: (row) =>
        row.enabled ? <Badge tone="success">On</Badge> : <Badge tone="outline">Switched off</Badge>,
    },
    { id: "actions", label: "Actions", hideLabel: true, align: "right", skeleton: "w-32", cell: actions },
  ];
  return (
    <PageFrame>
      <ConsoleHeader
        title={channel ? channel.name : <Skeleton className="h-6 w-48" />}
        documentTitle={channel?.name ?? "Channel"}
        badge={channel && !channel.enabled ? <Badge tone="outline">Off for all</Badge> : null}
        description={
          channel ? `${channel.provider} · ${channelNames(channel.channels)} · ${channel.region}` : null
        }
        back={back}
        actions={assign}
      />
      <DataTable
        id="console-channel-assignments"
        label="Assigned organisations"
        columns={columns}
        rows={query.data?.data}
        rowId={(row) => row.id}
        rowLabel={(row) => `${row.slug}: ${row.connection}`}
        skeletonRows={4}
        empty={
          <NothingYet icon={Building2} title="Not assigned yet" action={assign}>
            Assigned organisations get a connection for their routing rules. They don't see the account.
          </NothingYet>
        }
        compact={(row) => (
          <span className="block min-w-0">
            <span className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate">{name(row)}</span>
              {row.enabled ? null : <Badge tone="outline">Switched off</Badge>}
            </span>
            <span className="mt-0.5 block truncate text-xs text-ink-muted">
              {row.connection} · {sendersOf(row) || "the account’s default"}
            </span>
            <span className="mt-2 block">{actions(row)}</span>
          </span>
        )}
        footer={
          <Pager
            cursor={view.cursor}
            nextCursor={query.data?.nextCursor}
            onChange={(cursor) => void setView({ cursor })}
          />
        }
      />
      {channel && open?.what === "assign" ? <AssignDialog channel={channel} onClose={close} /> : null}
      {channel && open?.what === "senders" ? (
        <SendersDialog channel={channel} row={open.row} onClose={close} />
      ) : null}
      {open?.what === "take" ? <TakeDialog row={open.row} onClose={close} /> : null}
    </PageFrame>
  );
}

const sendersHint = (channel: Channel) =>
  channel.channels.length === 1
    ? "One per line, such as +4930123456 or a name. Leave empty for the account’s default."
    : "One per line, with its channel: sms:+4930123456. Leave empty for the account’s default.";

function AssignDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const api = useConsole();
  const changed = useChanged();
  const assign = useMutation(api.channels.assign.mutationOptions());
  const form = useOperationForm({
    schema: assignConsoleChannelSchema,
    defaultValues: { tenant: "", name: "", senders: "", ratePerSecond: "", settings: "" },
    input: ({ tenant, name, senders, ratePerSecond, settings }) => ({
      channel: channel.name,
      tenant: tenant.trim(),
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      senders: readSenders(senders, channel.channels),
      ...(ratePerSecond.trim() === "" ? {} : { ratePerSecond: Number(ratePerSecond) }),
      settings: readSettings(settings),
    }),
    send: async (input) => {
      await assign.mutateAsync(input);
      toast.success(`${input.tenant} has ${channel.name}`);
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Assign ${channel.name}`}
      description="The organisation gets a connection that it can route to and switch off. It doesn't see the account or its settings."
      submitLabel="Assign"
      onClose={onClose}
    >
      <TextField
        {...form.field("tenant")}
        label="Short name of the organisation"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
      />
      <TextField
        {...form.field("name")}
        label="Name of the connection"
        placeholder={channel.name}
        autoComplete="off"
        optional
      />
      <TextareaField
        {...form.field("senders")}
        label="Senders"
        hint={sendersHint(channel)}
        rows={3}
        optional
      />
      <TextField
        {...form.field("ratePerSecond")}
        label="Messages per second"
        inputMode="numeric"
        autoComplete="off"
        optional
      />
      <TextareaField
        {...form.field("settings")}
        label="Settings for this organisation"
        hint="One per line, such as phoneNumberId=109876543210987. The account’s address can't be changed here."
        rows={2}
        spellCheck={false}
        optional
      />
    </FormDialog>
  );
}

function SendersDialog({
  channel,
  row,
  onClose,
}: {
  channel: Channel;
  row: Assignment;
  onClose: () => void;
}) {
  const api = useConsole();
  const changed = useChanged();
  const lend = useMutation(api.channels.lend.mutationOptions());
  const form = useOperationForm({
    schema: lendConsoleChannelSchema,
    defaultValues: { senders: writeSenders(row.senders, channel.channels) },
    input: ({ senders }) => ({
      tenant: row.slug,
      connection: row.connection,
      senders: readSenders(senders, channel.channels),
      // `row` is as it was when the dialog opened.
      expected: readSenders(writeSenders(row.senders, channel.channels), channel.channels),
    }),
    send: async (input) => {
      try {
        await lend.mutateAsync(input);
      } catch (error) {
        // Opened again, the dialog begins with what somebody else has saved.
        if (errorCode(error) === "revision_conflict") await changed();
        throw error;
      }
      toast.success("Senders changed. Takes effect within two seconds");
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Senders of ${row.slug}`}
      description={`Over ${row.connection} it can only send from these.`}
      submitLabel="Save"
      onClose={onClose}
    >
      <TextareaField
        {...form.field("senders")}
        label="Senders"
        hint={sendersHint(channel)}
        rows={5}
        autoFocus
        optional
      />
    </FormDialog>
  );
}

function TakeDialog({ row, onClose }: { row: Assignment; onClose: () => void }) {
  const api = useConsole();
  const changed = useChanged();
  // Routing rules name it: asked once more.
  const [inUse, setInUse] = useState<string | null>(null);
  const take = useMutation(
    api.channels.take.mutationOptions({
      onSuccess: async () => {
        toast.success(`Taken back from ${row.slug}`);
        onClose();
        await changed();
      },
      onError: (error) => {
        if (errorCode(error) === "connection_in_use") setInUse(errorText(error));
        else toast.error(errorText(error));
      },
    }),
  );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Take ${row.connection} back from ${row.slug}?`}
      confirmLabel={inUse === null ? "Take back" : "Take back anyway"}
      pending={take.isPending}
      onConfirm={() => take.mutate({ tenant: row.slug, connection: row.connection, force: inUse !== null })}
    >
      {inUse === null
        ? "Its connection is deleted, and receipts that arrive later are lost. To keep them, switch the channel off first and wait."
        : `${inUse} The rules continue without it.`}
    </ConfirmDialog>
  );
}
