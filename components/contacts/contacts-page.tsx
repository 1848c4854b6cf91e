"use client";

import { Download, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { NewImport } from "../imports/new-import.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { ContactList } from "./contact-list.tsx";
import { ContactTabs } from "./contact-tabs.tsx";

const ContactDialog = dynamic(() => import("./contact-dialog.tsx").then((module) => module.ContactDialog));

const parsers = { q: parseAsString, group: parseAsString };

/** Who the organisation writes to. */
export function ContactsPage() {
  const { can, canIn, href, tenant } = usePortal();
  const router = useRouter();
  const [{ q, group }, setValues] = useQueryStates(parsers, { history: "push" });
  const [adding, setAdding] = useState(false);
  const writes = can("contacts:write");
  return (
    <PageFrame wide>
      <PageHeader
        title="Contacts"
        description="The people you send messages to. Shared by all environments."
        environmentScoped={false}
        actions={
          <>
            <Button asChild variant="ghost">
              <Link href={href("/contacts/duplicates")}>Possible duplicates</Link>
            </Button>
            <Button asChild>
              <a href={`/${tenant.slug}/contacts/export${group ? `?groupId=${group}` : ""}`} download>
                <Download aria-hidden /> {group ? "Export group" : "Export"}
              </a>
            </Button>
            {canIn("contacts:write", null) ? <NewImport kinds={["contacts"]} /> : null}
            {writes ? (
              <Button variant="primary" onClick={() => setAdding(true)}>
                <Plus aria-hidden /> Add contact
              </Button>
            ) : null}
          </>
        }
      />
      <ContactTabs current="contacts" />
      <ContactList
        search={q ?? ""}
        groupId={group}
        onSearch={(next) => void setValues({ q: next === "" ? null : next })}
        onGroup={(next) => void setValues({ group: next })}
        onAdd={writes ? () => setAdding(true) : undefined}
      />
      {adding ? (
        <ContactDialog
          onClose={() => setAdding(false)}
          onSaved={(id) => router.push(href(`/contacts/${id}`))}
        />
      ) : null}
    </PageFrame>
  );
}
