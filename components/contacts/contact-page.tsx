"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { DetailSkeleton } from "../layout/page-skeletons.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { named } from "../ui/isolated.ts";
import { titleOf } from "./contact-words.ts";

const ContactDialog = dynamic(() => import("./contact-dialog.tsx").then((module) => module.ContactDialog));

const regionNames = new Intl.DisplayNames("en", { type: "region" });
const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** All that is known of a contact. */
export function ContactPage({ id }: { id: string }) {
  const { can, canIn, href } = usePortal();
  const router = useRouter();
  const trpc = useTRPC();
  const refresh = useRefresh("contacts", "contactGroups");
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const query = useQuery(trpc.contacts.get.queryOptions({ id }));
  const remove = useMutation(
    trpc.contacts.delete.mutationOptions({
      onSuccess: async () => {
        toast.success("Contact deleted");
        router.push(href("/contacts"));
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const contact = query.data;
  const revealed = canIn("content:reveal", null);
  if (!contact) {
    return query.isError ? (
      <PageFrame>
        <QueryFailed what="this contact" query={query} />
      </PageFrame>
    ) : (
      <DetailSkeleton />
    );
  }
  const attributes = Object.entries(contact.attributes ?? {});
  const unknown = <span className="text-ink-faint">Not known</span>;
  return (
    <PageFrame>
      <PageHeader
        title={named(titleOf(contact))}
        back={{ href: href("/contacts"), label: "Contacts" }}
        environmentScoped={false}
        actions={
          can("contacts:write") ? (
            <>
              {/* Who does not see the addresses would write masked ones. */}
              {revealed ? (
                <Button onClick={() => setOpen("edit")}>
                  <Pencil aria-hidden /> Change
                </Button>
              ) : null}
              <Button variant="ghost" onClick={() => setOpen("delete")}>
                <Trash2 aria-hidden /> Delete
              </Button>
            </>
          ) : null
        }
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Card>
          <CardHeader title="Addresses" description="The first address of each channel is used" />
          {contact.addresses.length === 0 ? (
            <p className="px-4 pb-4 text-sm text-ink-muted">
              No addresses, so nothing can be sent to this contact.
            </p>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {contact.addresses.map(({ channel, address }, index) => (
                <li
                  key={`${channel} ${String(index)}`}
                  className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm"
                >
                  <ChannelMark channel={channel} className="w-24 shrink-0 text-ink-muted" />
                  <MaskedValue value={address} masked={!revealed} className="min-w-0 flex-1 break-all" />
                  {revealed ? (
                    <span className="flex gap-3">
                      {can("consent:read") ? (
                        <Link
                          className="text-accent-text hover:underline"
                          href={href("/consent", { address })}
                        >
                          Consent
                        </Link>
                      ) : null}
                      {can("notifications:read") ? (
                        <Link
                          className="text-accent-text hover:underline"
                          href={href("/messages", { q: address })}
                        >
                          Messages
                        </Link>
                      ) : null}
                    </span>
                  ) : null}
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Card>
          <CardHeader title="About" />
          <Facts
            className="px-4 pb-4"
            items={[
              { label: "Name", value: contact.name ?? unknown },
              { label: "External ID", value: contact.externalId ?? unknown },
              { label: "Region", value: contact.region ? regionNames.of(contact.region) : unknown },
              { label: "Language", value: contact.language ? languageNames.of(contact.language) : unknown },
              { label: "Time zone", value: contact.timeZone ?? unknown },
              { label: "Added", value: <AbsoluteTime value={contact.createdAt} withYear /> },
              { label: "Changed", value: <AbsoluteTime value={contact.updatedAt} withYear /> },
            ]}
          />
        </Card>
        <Card>
          <CardHeader title="Attributes" description="Template variables for messages to groups" />
          {contact.attributes === null ? (
            <p className="px-4 pb-4 text-sm text-ink-muted">You don't have access to attributes.</p>
          ) : attributes.length === 0 ? (
            <p className="px-4 pb-4 text-sm text-ink-muted">No attributes yet.</p>
          ) : (
            <Facts className="px-4 pb-4" items={attributes.map(([label, value]) => ({ label, value }))} />
          )}
        </Card>
        <Card>
          <CardHeader
            title="Groups"
            description="Groups the contact was added to. Groups with a filter are not shown"
          />
          {contact.groups.length === 0 ? (
            <p className="px-4 pb-4 text-sm text-ink-muted">None.</p>
          ) : (
            <ul className="flex flex-wrap gap-2 px-4 pb-4">
              {contact.groups.map((group) => (
                <li key={group.id}>
                  <Link href={href(`/contacts/groups/${group.id}`)}>
                    <Badge>{group.name}</Badge>
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
      {open === "edit" ? <ContactDialog contact={contact} onClose={() => setOpen(null)} /> : null}
      <ConfirmDialog
        open={open === "delete"}
        onClose={() => setOpen(null)}
        title={`Delete ${named(titleOf(contact))}?`}
        confirmLabel="Delete"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
      >
        The contact is removed from all groups. Its messages and consent are kept.
      </ConfirmDialog>
    </PageFrame>
  );
}
