"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { filterWords } from "../../server/contacts/vocabulary.ts";
import { DetailSkeleton } from "../layout/page-skeletons.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { named } from "../ui/isolated.ts";
import { ContactList } from "./contact-list.tsx";
import { GroupSize } from "./group-size.tsx";

const GroupDialog = dynamic(() => import("./group-dialog.tsx").then((module) => module.GroupDialog));

/** A group, and who is in it. */
export function GroupPage({ id }: { id: string }) {
  const { can, href } = usePortal();
  const router = useRouter();
  const trpc = useTRPC();
  const refresh = useRefresh("contacts", "contactGroups");
  const [q, setQ] = useQueryState("q", parseAsString.withOptions({ history: "push" }));
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const query = useQuery(
    trpc.contactGroups.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data?.size === null ? 2_000 : false) },
    ),
  );
  const remove = useMutation(
    trpc.contactGroups.delete.mutationOptions({
      onSuccess: async () => {
        toast.success("Group deleted");
        router.push(href("/contacts/groups"));
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const group = query.data;
  if (!group) {
    return query.isError ? (
      <PageFrame>
        <QueryFailed what="this group" query={query} />
      </PageFrame>
    ) : (
      <DetailSkeleton />
    );
  }
  return (
    <PageFrame wide>
      <PageHeader
        title={named(group.name)}
        description={group.description === "" ? undefined : group.description}
        back={{ href: href("/contacts/groups"), label: "Groups" }}
        environmentScoped={false}
        actions={
          can("contacts:write") ? (
            <>
              <Button onClick={() => setOpen("edit")}>
                <Pencil aria-hidden /> Change
              </Button>
              <Button variant="ghost" onClick={() => setOpen("delete")}>
                <Trash2 aria-hidden /> Delete
              </Button>
            </>
          ) : null
        }
      />
      <Card className="mb-5 px-4 py-3.5">
        <Facts
          items={[
            { label: "Contacts", value: <GroupSize group={group} long /> },
            {
              label: "Members",
              value: group.filter
                ? filterWords(group.filter)
                : "Contacts that were added. Select contacts under Contacts to add more.",
            },
          ]}
        />
      </Card>
      <ContactList
        search={q ?? ""}
        groupId={id}
        group={group.kind === "static" ? group : null}
        onSearch={(next) => void setQ(next === "" ? null : next)}
      />
      {open === "edit" ? <GroupDialog group={group} onClose={() => setOpen(null)} /> : null}
      <ConfirmDialog
        open={open === "delete"}
        onClose={() => setOpen(null)}
        title={`Delete ${named(group.name)}?`}
        confirmLabel="Delete"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
      >
        Its contacts are kept. Requests to this group are refused from now on.
      </ConfirmDialog>
    </PageFrame>
  );
}
