"use client";

import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import {
  scheduleInputSchema,
  type Rhythm,
  type SavedView,
  type Schedule,
} from "../../server/reports/schemas.ts";
import { reportPages } from "../../server/reports/vocabulary.ts";
import { FilterMenu } from "../data-table/filter-menu.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { clock, ordinal, pageWords, weekdays } from "./schedule-words.ts";

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: clock(hour) }));
const days: Record<Exclude<Rhythm, "daily">, { value: string; label: string }[]> = {
  weekly: weekdays.map((label, index) => ({ value: String(index + 1), label })),
  monthly: Array.from({ length: 28 }, (_, index) => ({
    value: String(index + 1),
    label: ordinal(index + 1),
  })),
};

/** When the figures of a view are mailed, and to whom. */
export function ScheduleDialog({
  view,
  schedule,
  onClose,
}: {
  /** Left out: one is chosen. */
  view?: Pick<SavedView, "id" | "name">;
  /** Left out: a new one. */
  schedule?: Schedule;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { user, canIn } = usePortal();
  const refresh = useRefresh("reports");
  const create = useMutation(trpc.reports.schedule.mutationOptions());
  const change = useMutation(trpc.reports.changeSchedule.mutationOptions());
  const [recipients, setRecipients] = useState<string[]>(
    schedule?.recipients.map(({ id }) => id) ?? [user.id],
  );
  // Of what the form began with: the list behind it goes on.
  const [revision] = useState(schedule?.revision);
  const given = schedule?.view ?? view;
  const mayChoose = canIn("members:manage", null);
  const form = useOperationForm({
    schema: scheduleInputSchema,
    defaultValues: {
      viewId: given?.id ?? "",
      rhythm: schedule?.rhythm ?? "weekly",
      day: String(schedule?.day ?? 1),
      hour: String(schedule?.hour ?? 8),
      timeZone: schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    input: ({ viewId, rhythm, day, hour, timeZone }) => ({
      viewId,
      rhythm,
      day: rhythm === "daily" ? null : Number(day),
      hour: Number(hour),
      timeZone: timeZone.trim(),
      recipients,
    }),
    send: async ({ viewId, ...timing }) => {
      if (schedule) {
        await change.mutateAsync({ id: schedule.id, ...timing, revision }).catch(async (error: unknown) => {
          // Opened again, the dialog begins with what somebody else has saved.
          if (errorCode(error) === "revision_conflict") await refresh();
          throw error;
        });
      } else await create.mutateAsync({ viewId, ...timing });
      toast.success(schedule ? "Report saved" : "Report scheduled");
      onClose();
      await refresh();
    },
  });
  const rhythm = form.watch("rhythm");
  const views = useReportViews(!given);
  return (
    <FormDialog
      form={form}
      title={given ? `E-mail “${given.name}”` : "New scheduled report"}
      description="Key figures of the previous day, week or month, compared with the one before, and a link to the page. Everyone gets the figures they have access to."
      submitLabel={schedule ? "Save" : "Schedule"}
      onClose={onClose}
    >
      {given ? null : (
        <SelectField
          {...form.field("viewId")}
          label="View"
          hint={
            views.length === 0
              ? "No views yet. Save one on Overview, Delivery or Costs first"
              : "The report uses the view’s filters and its own period"
          }
          placeholder="Choose a view"
          options={views}
        />
      )}
      <SelectField
        {...form.field("rhythm")}
        label="How often"
        options={[
          { value: "daily", label: "Every day" },
          { value: "weekly", label: "Every week" },
          { value: "monthly", label: "Every month" },
        ]}
      />
      {rhythm === "daily" ? null : <SelectField {...form.field("day")} label="Day" options={days[rhythm]} />}
      <SelectField {...form.field("hour")} label="Time" options={hours} />
      <TextField
        {...form.field("timeZone")}
        label="Time zone"
        hint="Such as Europe/Berlin"
        autoComplete="off"
      />
      {mayChoose ? (
        <Recipients
          known={[...(schedule?.recipients ?? []), { id: user.id, name: user.name }]}
          selected={recipients}
          onChange={setRecipients}
        />
      ) : (
        <p className="text-sm text-ink-muted">
          It goes to {schedule ? schedule.recipients.map(({ name }) => name).join(", ") : "you"}. People who
          manage members can send it to others.
        </p>
      )}
    </FormDialog>
  );
}

/** Views with figures, of the pages that the reader may see. */
function useReportViews(enabled: boolean) {
  const trpc = useTRPC();
  const { can } = usePortal();
  const pages = reportPages.filter((page) =>
    can(page === "costs" ? "costs:read" : page === "delivery" ? "reports:read" : "notifications:read"),
  );
  const queries = useQueries({
    queries: pages.map((page) => ({ ...trpc.reports.views.queryOptions({ page }), enabled })),
  });
  return queries.flatMap(({ data }) =>
    (data?.data ?? []).map(({ id, page, name }) => ({ value: id, label: `${pageWords[page]}: ${name}` })),
  );
}

/** Members, found by name. Nobody outside the organisation. */
function Recipients({
  known,
  selected,
  onChange,
}: {
  known: readonly { id: string; name: string }[];
  selected: string[];
  onChange: (ids: string[]) => void;
}) {
  const trpc = useTRPC();
  const [search, setSearch] = useState("");
  const query = useQuery(
    trpc.members.list.queryOptions({ state: "active", limit: 50, ...(search === "" ? {} : { search }) }),
  );
  const found = (query.data?.data ?? []).map(({ id, name, email }) => ({
    value: id,
    label: `${name} (${email})`,
  }));
  return (
    <Field
      label="To"
      name="recipients"
      hint="Members of the organisation"
      error={selected.length === 0 ? "Choose recipients" : undefined}
    >
      {() => (
        <FilterMenu
          label="Members"
          options={found}
          selected={selected}
          onChange={onChange}
          search={{
            value: search,
            onChange: setSearch,
            pending: query.isFetching,
            placeholder: "Find by name or e-mail…",
          }}
          names={Object.fromEntries(known.map(({ id, name }) => [id, name]))}
        />
      )}
    </Field>
  );
}
