"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw, TriangleAlert } from "lucide-react";
import { toast } from "../ui/toast.ts";
import { dnsParts, mostDomains } from "../../server/deliverability/vocabulary.ts";
import type { DnsPart, DnsPartName, SenderDomain } from "../../server/deliverability/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { AdapterName } from "../providers/adapter-name.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";

const partNames: Record<DnsPartName, string> = { spf: "SPF", dkim: "DKIM", dmarc: "DMARC" };
const faces: Record<DnsPart["state"], { label: string; tone: BadgeTone }> = {
  good: { label: "Good", tone: "success" },
  warning: { label: "Weak", tone: "warning" },
  bad: { label: "Invalid", tone: "danger" },
  unknown: { label: "Unknown", tone: "outline" },
};

/** What DNS says of the domains that mails come from. */
export function SendersCard() {
  const trpc = useTRPC();
  const { href } = usePortal();
  const query = useQuery(trpc.deliverability.senders.queryOptions(undefined, { refetchInterval: 60_000 }));
  const { data } = query;
  return (
    <Card aria-busy={!data}>
      <CardHeader
        title="Senders in DNS"
        description="SPF, DKIM and DMARC of each sender domain, checked daily"
      />
      {query.isError && !data ? (
        <QueryFailed what="the senders" query={query} />
      ) : !data ? (
        <div className="border-t border-line p-4">
          <Skeleton className="w-64" />
        </div>
      ) : data.data.length === 0 ? (
        <NothingYet
          icon={TriangleAlert}
          title="No e-mail senders"
          action={
            <Button asChild>
              <Link href={href("/providers")}>Providers</Link>
            </Button>
          }
        >
          Add senders to an e-mail connection to check their domains here.
        </NothingYet>
      ) : (
        <ul className="border-t border-line">
          {data.data.map((sender) => (
            <li
              key={`${sender.connectionId} ${sender.domain}`}
              className="border-b border-line px-4 py-3.5 last:border-0"
            >
              <Sender sender={sender} mayCheck={data.mayCheck} />
            </li>
          ))}
        </ul>
      )}
      {data?.more ? (
        <p className="border-t border-line px-4 py-3 text-xs text-ink-muted">
          The first {String(mostDomains)} domains are checked.
        </p>
      ) : null}
    </Card>
  );
}

function Sender({ sender, mayCheck }: { sender: SenderDomain; mayCheck: boolean }) {
  const { domain, connection, provider, triedAt, problem } = sender;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="text-sm font-medium break-all">{domain}</h3>
          <p className="text-xs text-ink-muted">
            {connection} · <AdapterName adapter={provider} /> ·{" "}
            {triedAt ? (
              <>
                checked <RelativeTime value={triedAt} />
              </>
            ) : (
              "will be checked within a few minutes"
            )}
          </p>
        </div>
        {mayCheck ? <CheckAgain sender={sender} /> : null}
      </div>
      {problem ? <p className="mt-2 text-sm text-warning-text">{problem} The last answer is shown.</p> : null}
      <dl className="mt-2.5 grid gap-2.5">
        {dnsParts.map((part) => (
          <Part key={part} name={partNames[part]} part={sender[part]} tried={triedAt !== null} />
        ))}
      </dl>
    </>
  );
}

function Part({ name, part, tried }: { name: string; part: DnsPart | null; tried: boolean }) {
  if (!part) {
    return tried ? (
      <Line name={name} badge={<Badge tone="outline">Not checked yet</Badge>}>
        It couldn't be checked yet.
      </Line>
    ) : null;
  }
  const face = faces[part.state];
  return (
    <Line name={name} badge={<Badge tone={face.tone}>{face.label}</Badge>}>
      <p>{part.summary}</p>
      {part.record === null ? null : (
        <p className="mt-0.5 font-mono text-xs break-all whitespace-pre-wrap text-ink-muted">
          {part.name === null ? null : `${part.name}  `}
          {part.record}
        </p>
      )}
      {part.fix ? (
        <div className="mt-1.5 rounded-md border border-line bg-sunken px-2.5 py-2 text-xs">
          <p className="text-ink-muted">
            {part.record === null ? "Add" : "Replace with"} a record {part.fix.type} at{" "}
            <code className="font-mono break-all text-ink">{part.fix.name}</code>
          </p>
          <p className="mt-1 flex items-start gap-1.5">
            <code className="min-w-0 font-mono break-all">{part.fix.value}</code>
            <CopyButton value={part.fix.value} label={`Copy the ${name} record`} />
          </p>
        </div>
      ) : null}
    </Line>
  );
}

function Line({
  name,
  badge,
  children,
}: {
  name: string;
  badge: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <div className="grid gap-x-4 gap-y-1 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="flex items-center gap-2 self-start text-sm">
        <span className="w-14 font-medium">{name}</span> {badge}
      </dt>
      <dd className="min-w-0 text-sm">{children}</dd>
    </div>
  );
}

function CheckAgain({ sender }: { sender: SenderDomain }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const check = useMutation(
    trpc.deliverability.checkSender.mutationOptions({
      onSuccess: ({ problem }) => {
        if (problem === null) toast.success(`${sender.domain} was checked`);
        else toast.error(problem);
      },
      onError: (error) => toast.error(errorText(error)),
      onSettled: () => client.invalidateQueries({ queryKey: trpc.deliverability.senders.queryKey() }),
    }),
  );
  return (
    <Button
      size="sm"
      pending={check.isPending}
      aria-label={`Check again: ${sender.domain}`}
      onClick={() => check.mutate({ domain: sender.domain, connectionId: sender.connectionId })}
    >
      <RefreshCw aria-hidden /> Check again
    </Button>
  );
}
