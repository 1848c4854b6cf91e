"use client";

import { Download, Search } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { NewImport } from "../imports/new-import.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { Input } from "../ui/input.tsx";
import { Link } from "../ui/link.tsx";
import { AddressConsent } from "./address-consent.tsx";
import { useAskingApplications } from "./use-asking-applications.ts";
import { Ledger } from "./ledger.tsx";
import { Reviews } from "./reviews.tsx";
import { Form } from "../ui/form.tsx";

const AskConfirmationDialog = dynamic(() =>
  import("./ask-confirmation-dialog.tsx").then((module) => module.AskConfirmationDialog),
);

const RecordConsentDialog = dynamic(() =>
  import("./record-consent-dialog.tsx").then((module) => module.RecordConsentDialog),
);

const parsers = {
  address: parseAsString,
  channel: parseAsStringLiteral(channels),
  state: parseAsStringLiteral(["opted_in", "opted_out"]),
  source: parseAsStringLiteral([
    "api",
    "portal",
    "keyword",
    "unsubscribe_link",
    "double_opt_in",
    "import",
    "provider",
    "review",
  ]),
};

/** Who agreed to or opted out of what: one address, or what was recorded last. */
export function ConsentPage() {
  const { environment, canIn, can, href } = usePortal();
  const [{ address: wanted, ...filters }, setValues] = useQueryStates(parsers, { history: "push" });
  const revealed = can("content:reveal");
  const address = revealed ? wanted : null;
  const [recording, setRecording] = useState(false);
  const [asking, setAsking] = useState(false);
  const mayAsk = useAskingApplications().length > 0;
  return (
    <PageFrame>
      <PageHeader
        title="Consent"
        description={
          environment.kind === "sandbox"
            ? "Opt-ins and opt-outs in the sandbox. They don't count anywhere else."
            : "Opt-ins and opt-outs, shared by all environments except the sandbox."
        }
        actions={
          <>
            {canIn("settings:manage", null) ? (
              <Button asChild variant="ghost">
                <Link href={href("/settings/consent")}>Policy</Link>
              </Button>
            ) : null}
            {canIn("consent:read", null) ? <ExportMenu /> : null}
            {canIn("consent:write", null) ? <NewImport kinds={["consent"]} /> : null}
            {mayAsk ? <Button onClick={() => setAsking(true)}>Ask for confirmation</Button> : null}
            {can("consent:write") ? (
              <Button variant="primary" onClick={() => setRecording(true)}>
                Record consent
              </Button>
            ) : null}
          </>
        }
      />
      {address ? null : <Reviews />}
      {revealed ? (
        <AddressSearch
          address={address ?? ""}
          onSearch={(next) => void setValues({ address: next === "" ? null : next })}
        />
      ) : null}
      {address ? (
        <AddressConsent key={`${environment.id} ${address}`} address={address} />
      ) : (
        <Ledger
          filters={filters}
          onFilter={(change) => void setValues(change)}
          onAddress={(next) => void setValues({ address: next })}
        />
      )}
      {asking ? (
        <AskConfirmationDialog
          address={address ?? ""}
          onClose={() => setAsking(false)}
          onAsked={(asked) => {
            setAsking(false);
            void setValues({ address: asked });
          }}
        />
      ) : null}
      {recording ? (
        <RecordConsentDialog
          address={address ?? ""}
          onClose={() => setRecording(false)}
          onRecorded={(recorded) => {
            setRecording(false);
            void setValues({ address: recorded });
          }}
        />
      ) : null}
    </PageFrame>
  );
}

/** The ledger, or what is left of it in the end, as files that can be imported again. */
function ExportMenu() {
  const { tenant, environment } = usePortal();
  const item = (what: string, label: string, hint: string) => (
    <DropdownMenuItem asChild>
      <a
        href={`/${tenant.slug}/consent/export?environmentId=${environment.id}&what=${what}`}
        download
        className="grid gap-0.5"
      >
        <span>{label}</span>
        <span className="text-xs text-ink-muted">{hint}</span>
      </a>
    </DropdownMenuItem>
  );
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          <Download aria-hidden /> Export
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-72">
        {item("standing", "Current consent of each address", "By channel, class and region")}
        {item("ledger", "Complete history", "Every entry, newest first")}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function AddressSearch({ address, onSearch }: { address: string; onSearch: (address: string) => void }) {
  const [typed, setTyped] = useState(address);
  const [seen, setSeen] = useState(address);
  // Elsewhere, e.g. by the back button, another address may be chosen.
  if (address !== seen) {
    setSeen(address);
    setTyped(address);
  }
  return (
    <Form
      role="search"
      className="mb-4 flex flex-wrap items-center gap-2"
      onSubmit={() => onSearch(typed.trim())}
    >
      <div className="relative min-w-0 flex-1 basis-56 sm:max-w-md">
        <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-faint" aria-hidden />
        <Input
          aria-label="E-mail address, number with country code or WhatsApp user ID"
          className="pl-8"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder="ada@example.com or +4915112345678"
          maxLength={320}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <Button type="submit">Look up</Button>
      {address === "" ? null : (
        <Button variant="ghost" onClick={() => onSearch("")}>
          Show all
        </Button>
      )}
    </Form>
  );
}
