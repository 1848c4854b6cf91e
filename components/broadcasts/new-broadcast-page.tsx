"use client";

import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { FileText, Users } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Channel } from "../../server/kernel/channel.ts";
import { SearchBox } from "../data-table/search-box.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { channelLabel, ChannelIcon } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { CreateTemplate } from "../send/create-template.tsx";
import { VariableFields, type DeclaredVariable } from "../send/variable-fields.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { AudienceCheck } from "./audience-check.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { formatNumber } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Form } from "../ui/form.tsx";

type Group = { id: string; name: string; size: number | null };

/** What is sent, to which groups, over which channels; the recipients are listed before anything goes. */
export function NewBroadcastPage() {
  const { applications, environment, href } = usePortal();
  const router = useRouter();
  const trpc = useTRPC();
  const [application, setApplication] = useState(applications[0]?.name ?? "");
  const [type, setType] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [groups, setGroups] = useState<readonly Group[]>([]);
  const [off, setOff] = useState<readonly Channel[]>([]);
  const [values, setValues] = useState<Record<string, string>>({});
  const [idempotencyKey] = useState(() => crypto.randomUUID());

  const [search, setSearch] = useState("");
  const groupsQuery = useQuery(
    trpc.broadcasts.groups.queryOptions(search === "" ? {} : { search }, {
      placeholderData: keepPreviousData,
    }),
  );
  const found = groupsQuery.data?.groups ?? [];
  // Those that were chosen stay in sight, whatever is searched for.
  const offered = [...groups.filter((group) => !found.some(({ id }) => id === group.id)), ...found];
  const templatesQuery = useQuery(trpc.templates.list.queryOptions({ application, limit: 200 }));
  const live = (templatesQuery.data?.data ?? []).filter(
    (each) =>
      each.archivedAt === null &&
      each.deployments.some(({ environmentId, disabled }) => environmentId === environment.id && !disabled),
  );
  const types = [
    ...new Set(live.map((each) => `${each.notificationType}/${each.notificationSubtype}`)),
  ].sort();
  const chosen = type !== null && types.includes(type) ? type : (types[0] ?? "");
  const ofType = live.filter((each) => `${each.notificationType}/${each.notificationSubtype}` === chosen);
  const channels = [...new Set(ofType.map((each) => each.channel))].sort();
  const on = channels.filter((channel) => !off.includes(channel));
  const [notificationType = "", notificationSubtype = ""] = chosen.split("/");
  const contents = useQuery(
    trpc.templates.get.queryOptions({ id: ofType[0]?.id ?? "" }, { enabled: ofType.length > 0 }),
  );
  const variables: DeclaredVariable[] = contents.data?.variables ?? [];

  const draft = useMutation(
    trpc.broadcasts.draft.mutationOptions({
      onSuccess: ({ id }) => router.push(href(`/broadcasts/${id}`)),
    }),
  );
  const ready = name.trim() !== "" && groups.length > 0 && on.length > 0 && chosen !== "";

  return (
    <PageFrame>
      <PageHeader
        title="New broadcast"
        back={{ href: href("/broadcasts"), label: "Broadcasts" }}
        description="You review the recipients before anything is sent."
      />
      {templatesQuery.isError ? (
        <QueryFailed
          what="templates"
          error={templatesQuery.error}
          onRetry={() => void templatesQuery.refetch()}
        />
      ) : groupsQuery.isError ? (
        <QueryFailed
          what="contact groups"
          error={groupsQuery.error}
          onRetry={() => void groupsQuery.refetch()}
        />
      ) : groupsQuery.data && offered.length === 0 && search === "" ? (
        <Card>
          <NothingYet icon={Users} title="No contact groups yet">
            Broadcasts go to contact groups. Import contacts or create a group first.
          </NothingYet>
        </Card>
      ) : templatesQuery.isSuccess && live.length === 0 && applications.length < 2 ? (
        <Card>
          <NothingYet
            icon={FileText}
            title={`No template is live in ${environment.name}`}
            action={<CreateTemplate application={application} />}
          >
            Promote a template first, or choose another environment.
          </NothingYet>
        </Card>
      ) : (
        <Form
          className="grid max-w-3xl gap-4"
          refused={draft.error}
          onSubmit={() => {
            if (!ready) return;
            draft.mutate({
              environmentId: environment.id,
              application,
              name: name.trim(),
              notificationType,
              notificationSubtype,
              contactGroups: groups.map(({ name: group }) => ({ group, channels: on })),
              variables: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")),
              idempotencyKey,
            });
          }}
        >
          <Card>
            <CardHeader title="What" actions={<CreateTemplate application={application} />} />
            <div className="grid gap-4 px-4 pb-4">
              <Field label="Name" hint="Recipients don't see it.">
                {(control) => (
                  <Input
                    {...control}
                    value={name}
                    maxLength={128}
                    autoComplete="off"
                    placeholder="Spring sale"
                    onChange={(event) => setName(event.target.value)}
                  />
                )}
              </Field>
              {applications.length > 1 ? (
                <Field label="Application">
                  {(control) => (
                    <Select
                      id={control.id}
                      value={application}
                      onValueChange={setApplication}
                      options={applications.map((each) => ({ value: each.name, label: each.title }))}
                    />
                  )}
                </Field>
              ) : null}
              <Field
                label="Message"
                hint="Contacts get the variant for their language and region, if there is one."
              >
                {(control) =>
                  templatesQuery.isPending ? (
                    <Skeleton className="h-8 w-full" />
                  ) : types.length === 0 ? (
                    <p id={control.id} className="text-sm text-ink-muted">
                      No template of this application is live in {environment.name}.
                    </p>
                  ) : (
                    <Select
                      id={control.id}
                      value={chosen}
                      onValueChange={setType}
                      options={types.map((each) => ({ value: each, label: each.replace("/", " / ") }))}
                    />
                  )
                }
              </Field>
            </div>
          </Card>
          <Card>
            <CardHeader
              title="Recipients"
              description="Someone in several groups gets it once per channel."
            />
            <div className="grid gap-5 px-4 pb-4">
              <fieldset className="grid gap-2.5">
                <legend className="mb-2 text-sm font-medium">Groups</legend>
                {groupsQuery.isPending ? <Skeleton className="h-16 w-full" /> : null}
                {groupsQuery.data?.more || search !== "" ? (
                  <SearchBox
                    value={search}
                    onChange={setSearch}
                    label="Search groups"
                    placeholder="Part of the name"
                    className="mb-1 sm:max-w-xs"
                  />
                ) : null}
                <div className="grid max-h-72 gap-2.5 overflow-y-auto">
                  {groupsQuery.data && offered.length === 0 ? (
                    <p className="text-sm text-ink-muted">No matching groups.</p>
                  ) : null}
                  {offered.map((group) => (
                    <CheckboxField
                      key={group.id}
                      label={group.name}
                      checked={groups.some(({ id }) => id === group.id)}
                      onChange={(checked) =>
                        setGroups(checked ? [...groups, group] : groups.filter(({ id }) => id !== group.id))
                      }
                    >
                      {group.size === null ? "Not counted yet" : `${formatNumber(group.size)} contacts`}
                    </CheckboxField>
                  ))}
                </div>
                {groupsQuery.data?.more ? (
                  <p className="text-xs text-ink-muted">There are more. Search to find them.</p>
                ) : null}
              </fieldset>
              {channels.length > 0 ? (
                <fieldset>
                  <legend className="mb-2 text-sm font-medium">Channels</legend>
                  <div className="flex flex-wrap gap-x-6 gap-y-2">
                    {channels.map((channel) => (
                      <span key={channel} className="inline-flex items-center gap-2">
                        <CheckboxField
                          label={channelLabel(channel)}
                          checked={on.includes(channel)}
                          onChange={(checked) =>
                            setOff(checked ? off.filter((each) => each !== channel) : [...off, channel])
                          }
                        />
                        <ChannelIcon channel={channel} />
                      </span>
                    ))}
                  </div>
                </fieldset>
              ) : null}
              {groups.length > 0 && on.length > 0 && chosen !== "" ? (
                <AudienceCheck
                  input={{
                    environmentId: environment.id,
                    ...{ application, notificationType, notificationSubtype },
                    contactGroups: groups.map(({ name: group }) => ({ group, channels: on })),
                  }}
                />
              ) : null}
            </div>
          </Card>
          {variables.length > 0 ? (
            <Card>
              <CardHeader
                title="Default values"
                description="A contact’s attribute of the same name takes precedence. Leave a field empty if every contact has the attribute."
              />
              <div className="px-4 pb-4">
                <VariableFields
                  variables={variables.map((variable) => ({ ...variable, required: false }))}
                  values={values}
                  onChange={(variable, value) => setValues({ ...values, [variable]: value })}
                  problems={{}}
                />
              </div>
            </Card>
          ) : null}
          {draft.error ? <FormError title={errorText(draft.error)} /> : null}
          <div className="flex items-center justify-end gap-3">
            <span className="text-xs text-ink-muted">
              {name.trim() === ""
                ? "Give it a name"
                : groups.length === 0
                  ? "Choose a group"
                  : on.length === 0
                    ? "Choose a channel"
                    : "Nothing is sent yet"}
            </span>
            <Button
              type="submit"
              variant="primary"
              size="lg"
              disabled={!ready}
              pending={draft.isPending || draft.isSuccess}
            >
              Review recipients
            </Button>
          </div>
        </Form>
      )}
    </PageFrame>
  );
}
