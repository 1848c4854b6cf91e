"use client";

import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Plus, UsersRound, X } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { mapGroupSchema, type ListedGroup } from "../../server/directory/schemas.ts";
import { byName, Pager } from "../data-table/pager.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { unitOf, useGrantable, usePlaceName } from "../members/use-grantable.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { named } from "../ui/isolated.ts";

type Given = ListedGroup["roles"][number];

const parsers = { q: parseAsString.withDefault(""), cursor: parseAsString };

/** The groups that the directory has sent, and which roles each gives. */
export function GroupsSection() {
  const trpc = useTRPC();
  const refresh = useRefresh("directory", "members", "roles");
  const placeName = usePlaceName();
  const { canIn } = usePortal();
  const [view, setView] = useQueryStates(parsers, { history: "push" });
  const [giving, setGiving] = useState<ListedGroup | null>(null);
  const [taking, setTaking] = useState<{ group: ListedGroup; given: Given } | null>(null);
  const query = useQuery(
    trpc.directory.groups.queryOptions(
      { search: view.q === "" ? undefined : view.q, cursor: view.cursor ?? undefined, limit: 20 },
      { placeholderData: keepPreviousData },
    ),
  );
  const unmap = useMutation(
    trpc.directory.unmapGroup.mutationOptions({
      onSuccess: async () => {
        toast.success(
          `${named(taking?.group.name ?? "")} no longer gives ${named(taking?.given.role.name ?? "")}`,
        );
        setTaking(null);
        await refresh();
      },
      onError: (error) => {
        setTaking(null);
        toast.error(errorText(error));
      },
    }),
  );
  const groups = query.data?.data;
  const searched = view.q !== "" || view.cursor !== null;
  return (
    <Card>
      <CardHeader
        title="Groups and roles"
        description="People in a directory group get its roles, as long as they are in the group."
      />
      {searched || (groups && groups.length > 0) ? (
        <div className="px-4 pb-3">
          <SearchBox
            value={view.q}
            onChange={(q) => void setView({ q: q === "" ? null : q, cursor: null })}
            placeholder="Group name"
            label="Search groups"
            className="w-72 max-w-full"
          />
        </div>
      ) : null}
      {query.isError && !groups ? (
        <QueryFailed what="the groups" query={query} />
      ) : !groups ? (
        <div className="grid gap-3 px-4 pb-4" aria-busy>
          <Skeleton className="w-1/3" />
          <Skeleton className="w-1/2" />
        </div>
      ) : groups.length === 0 ? (
        searched ? (
          <NoMatch
            what="groups"
            hint="Try another part of the name."
            onClear={() => void setView({ q: null, cursor: null })}
          />
        ) : (
          <NothingYet icon={UsersRound} title="No groups yet" className="py-8">
            Groups appear here once your directory has sent them. Until then, its people are members without a
            role.
          </NothingYet>
        )
      ) : (
        <>
          <ul aria-label="Groups" className="divide-y divide-line border-t border-line">
            {groups.map((group) => (
              <li
                key={group.id}
                className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3 text-sm"
              >
                <div className="min-w-0 flex-1 basis-60">
                  <p className="font-medium break-words">{group.name}</p>
                  <p className="text-xs text-ink-muted">{plural(group.members, "member")}</p>
                  {group.roles.length === 0 ? (
                    <p className="mt-1 text-ink-faint">No roles</p>
                  ) : (
                    <ul aria-label={`Roles of ${group.name}`} className="mt-1.5 flex flex-wrap gap-1.5">
                      {group.roles.map((given) => (
                        <li
                          key={given.id}
                          className="flex max-w-full items-center gap-1 rounded-md border border-line bg-canvas py-0.5 pr-1 pl-2"
                        >
                          <span className="min-w-0 truncate" title={`Assigned by ${given.createdBy}`}>
                            {given.role.name}
                            <span className="text-ink-muted">, {placeName(given.unitId)}</span>
                          </span>
                          {given.role.permissions.every((permission) => canIn(permission, given.unitId)) ? (
                            <button
                              type="button"
                              aria-label={`Take ${given.role.name}, ${placeName(given.unitId)}, from ${group.name}`}
                              className="grid size-5 shrink-0 place-items-center rounded-sm text-ink-muted hover:bg-hover hover:text-ink"
                              onClick={() => setTaking({ group, given })}
                            >
                              <X className="size-3.5" aria-hidden />
                            </button>
                          ) : null}
                        </li>
                      ))}
                    </ul>
                  )}
                </div>
                <Button size="sm" aria-label={`Give ${group.name} a role`} onClick={() => setGiving(group)}>
                  <Plus aria-hidden /> Assign role
                </Button>
              </li>
            ))}
          </ul>
          <Pager
            cursor={view.cursor}
            nextCursor={query.data?.nextCursor}
            onChange={(cursor) => void setView({ cursor })}
            words={byName}
          />
        </>
      )}
      {giving ? <GiveRole group={giving} onClose={() => setGiving(null)} /> : null}
      <ConfirmDialog
        open={taking !== null}
        onClose={() => setTaking(null)}
        title={`Take “${taking?.given.role.name ?? ""}” from ${named(taking?.group.name ?? "")}?`}
        confirmLabel="Remove role"
        pending={unmap.isPending}
        onConfirm={() => taking && unmap.mutate({ id: taking.given.id })}
      >
        {taking && taking.group.members > 0
          ? `Everyone in the group (currently ${plural(taking.group.members, "member")}) loses it immediately, unless they have it in another way.`
          : "The group is empty."}
      </ConfirmDialog>
    </Card>
  );
}

function GiveRole({ group, onClose }: { group: ListedGroup; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("directory", "members", "roles");
  const { places, roleOptions, roles } = useGrantable();
  const map = useMutation(trpc.directory.mapGroup.mutationOptions());
  const form = useOperationForm({
    schema: mapGroupSchema,
    defaultValues: { role: "", unitId: places[0]?.value ?? "" },
    input: ({ role, unitId }) => ({ groupId: group.id, role, unitId: unitOf(unitId) }),
    send: async (input) => {
      await map.mutateAsync(input);
      toast.success(`${named(group.name)} gives one more role`);
      onClose();
      await refresh();
    },
  });
  const [place, key] = useWatch({ control: form.control, name: ["unitId", "role"] });
  return (
    <FormDialog
      form={form}
      title={`Give ${named(group.name)} a role`}
      description={
        group.members > 0
          ? `Everyone in the group, currently ${plural(group.members, "member")}, gets it immediately, as does everyone who joins later.`
          : "Everyone who joins the group gets it."
      }
      submitLabel="Assign role"
      onClose={onClose}
    >
      <SelectField {...form.field("unitId")} label="Scope" options={places} />
      <SelectField
        {...form.field("role")}
        label="Role"
        placeholder="Choose a role…"
        hint={roles?.find((role) => role.key === key)?.description || undefined}
        options={roleOptions(place)}
      />
    </FormDialog>
  );
}
