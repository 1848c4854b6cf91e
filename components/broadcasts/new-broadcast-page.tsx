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
import { earlierArrived } from "../send/sent-words.ts";
import { useLiveTemplates } from "../send/use-live-templates.ts";
import { VariableFields } from "../send/variable-fields.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode, errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { AudienceCheck } from "./audience-check.tsx";
import { useBroadcastVariables } from "./use-broadcast-variables.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";
import { LeaveGuard } from "../ui/leave-guard.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Form } from "../ui/form.tsx";

type Group = { id: string; name: string; size: number | null };

/** What is sent, to which groups, over which channels; the recipients are listed before anything goes. */
export function NewBroadcastPage() {
  const { applications, environment, href } = usePortal();
  const router = useRouter();
  const trpc = useTRPC();
  const [named, setApplication] = useState<string | null>(null);
  // The one that was chosen may be of another team than the one that is shown now.
  const application = (applications.find((each) => each.name === named) ?? applications[0])?.name ?? "";
  const [type, setType] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [groups, setGroups] = useState<readonly Group[]>([]);
  const [off, setOff] = useState<readonly Channel[]>([]);
  const [values, setValues] = useState<Record<string, string>>({});
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());

  const [search, setSearch] = useState("");
  const groupsQuery = useQuery(
    trpc.broadcasts.groups.queryOptions(search === "" ? {} : { search }, {
      placeholderData: keepPreviousData,
    }),
  );
  const found = groupsQuery.data?.groups ?? [];
  // Those that were chosen stay in sight, whatever is searched for.
  const offered = [...groups.filter((group) => !found.some(({ id }) => id === group.id)), ...found];
  const live = useLiveTemplates(application === "" ? undefined : application);
  const types = [
    ...new Set(live.templates.map((each) => `${each.notificationType}/${each.notificationSubtype}`)),
  ].sort();
  // What the page began with stays, whatever goes live or stops being live meanwhile: nobody is to send another message unseen.
  if (type === null && live.complete && types[0] !== undefined) setType(types[0]);
  const chosen = type !== null && types.includes(type) ? type : "";
  const ofType = live.templates.filter(
    (each) => `${each.notificationType}/${each.notificationSubtype}` === chosen,
  );
  const channels = [...new Set(ofType.map((each) => each.channel))].sort();
  const on = channels.filter((channel) => !off.includes(channel));
  const [notificationType = "", notificationSubtype = ""] = chosen.split("/");
  const declared = useBroadcastVariables(ofType.filter(({ channel }) => on.includes(channel)));
  const { variables } = declared;

  const draft = useMutation(
    trpc.broadcasts.draft.mutationOptions({
      onSuccess: ({ id }) => router.push(href(`/broadcasts/${id}`)),
      onError: (error) => {
        if (errorCode(error) === "idempotency_mismatch") setIdempotencyKey(crypto.randomUUID());
      },
    }),
  );
  const begun =
    name.trim() !== "" ||
    groups.length > 0 ||
    off.length > 0 ||
    Object.values(values).some((value) => value !== "");
  /** What is sent to whom. */
  const order = {
    environmentId: environment.id,
    ...{ application, notificationType, notificationSubtype },
    contactGroups: groups.map(({ name: group }) => ({ group, channels: on })),
  };
  const missing =
    name.trim() === ""
      ? "Give it a name"
      : chosen === ""
        ? "Choose a message"
        : groups.length === 0
          ? "Choose a group"
          : on.length === 0
            ? "Choose a channel"
            : null;

  return (
    <PageFrame>
      <PageHeader
        title="New broadcast"
        back={{ href: href("/broadcasts"), label: "Broadcasts" }}
        description="You review the recipients before anything is sent."
      />
      {live.error ? (
        <QueryFailed what="templates" query={live} />
      ) : groupsQuery.isError && !groupsQuery.data ? (
        <QueryFailed what="contact groups" query={groupsQuery} />
      ) : groupsQuery.data && offered.length === 0 && search === "" ? (
        <Card>
          <NothingYet icon={Users} title="No contact groups yet">
            Broadcasts go to contact groups. Import contacts or create a group first.
          </NothingYet>
        </Card>
      ) : live.complete && live.templates.length === 0 && applications.length < 2 ? (
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
            if (missing !== null) return;
            draft.mutate({
              ...order,
              name: name.trim(),
              variables: Object.fromEntries(
                variables.flatMap(({ name: variable }) =>
                  values[variable] ? [[variable, values[variable]] as const] : [],
                ),
              ),
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
                      {...control}
                      value={application}
                      onValueChange={(next) => {
                        setApplication(next);
                        setType(null);
                      }}
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
                  !live.complete ? (
                    <Skeleton className="h-8 w-full" />
                  ) : types.length === 0 ? (
                    <p id={control.id} className="text-sm text-ink-muted">
                      No template of this application is live in {environment.name}.
                    </p>
                  ) : (
                    <Select
                      {...control}
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
                    maxLength={100}
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
              {groups.length > 0 && on.length > 0 && chosen !== "" ? <AudienceCheck input={order} /> : null}
            </div>
          </Card>
          {declared.error ? (
            <Card>
              <QueryFailed what="the variables" query={declared} />
            </Card>
          ) : null}
          {variables.length > 0 ? (
            <Card>
              <CardHeader
                title="Default values"
                description="A contact’s attribute of the same name takes precedence. Leave a field empty if every contact has the attribute."
              />
              <div className="px-4 pb-4">
                <VariableFields
                  variables={variables}
                  values={values}
                  onChange={(variable, value) => setValues({ ...values, [variable]: value })}
                  problems={{}}
                />
                {declared.unread > 0 ? (
                  <p className="mt-3 text-xs text-ink-muted">
                    {`Variables that only occur in ${plural(declared.unread, "more template")} are not listed.`}
                  </p>
                ) : null}
              </div>
            </Card>
          ) : null}
          {draft.error ? (
            <FormError
              title={
                errorCode(draft.error) === "idempotency_mismatch"
                  ? `${earlierArrived} Its broadcast is in the list. Try again to create this one as well.`
                  : errorText(draft.error)
              }
            />
          ) : null}
          <div className="flex items-center justify-end gap-3">
            <span className="text-xs text-ink-muted">{missing ?? "Nothing is sent yet"}</span>
            <Button
              type="submit"
              variant="primary"
              size="lg"
              disabled={missing !== null}
              pending={draft.isPending || draft.isSuccess}
            >
              Review recipients
            </Button>
          </div>
        </Form>
      )}
      {begun && !draft.isSuccess ? (
        <LeaveGuard onDiscard={() => undefined}>The broadcast you began will be lost.</LeaveGuard>
      ) : null}
    </PageFrame>
  );
}
