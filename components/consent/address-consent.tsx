"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { AtSign, Ban, History, MailQuestionMark } from "lucide-react";
import type { ReactNode } from "react";
import type { Confirmation, ConsentEntry, ConsentStanding } from "../../server/consent/schemas.ts";
import { LoadMore } from "../data-table/load-more.tsx";
import { ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge, Dot } from "../ui/badge.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { classes, classWords, policyWords, scopeWords, sourceWords, stateWords } from "./consent-words.ts";

/** How an address stands, and what was said about it. */
export function AddressConsent({ address }: { address: string }) {
  const { environment, can } = usePortal();
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.consent.ofAddress.infiniteQueryOptions(
      { environmentId: environment.id, address, limit: 25 },
      { getNextPageParam: (page) => page.history.nextCursor, retry: false },
    ),
  );
  const first = query.data?.pages[0];
  if (!first) {
    if (!query.isError) return <AddressSkeleton />;
    return (
      <Card>
        {errorCode(query.error) === "invalid_request" ? (
          <NothingYet icon={AtSign} title="Not a valid address">
            Enter an e-mail address, a number with its country code (+4915112345678) or a WhatsApp user ID.
          </NothingYet>
        ) : (
          <QueryFailed what="this address" query={query} />
        )}
      </Card>
    );
  }
  const history = query.data?.pages.flatMap((page) => page.history.data) ?? [];
  const revealed = can("content:reveal");
  return (
    <div className="grid grid-cols-1 gap-4">
      <Card>
        <CardHeader
          title={<MaskedValue value={first.address} masked={!revealed} className="break-all" />}
          description={`Whether a message ${environment.kind === "sandbox" ? "in the sandbox " : ""}would be sent now, by class and channel`}
        />
        <Asked confirmations={first.confirmations} />
        <Standing standing={first.standing} address={address} />
      </Card>
      <Card>
        <CardHeader title="History" description="The latest statement counts, even if it was reported late" />
        {history.length === 0 ? (
          <NothingYet icon={History} title="No consent recorded">
            Opt-ins and opt-outs of this recipient appear here with their source.
          </NothingYet>
        ) : (
          <ul aria-label="History" className="divide-y divide-line border-t border-line">
            {history.map((entry) => (
              <Entry key={entry.id} entry={entry} revealed={revealed} />
            ))}
          </ul>
        )}
        <LoadMore query={query} />
      </Card>
    </div>
  );
}

/** What they were asked and have not answered yet. */
function Asked({ confirmations }: { confirmations: readonly Confirmation[] }) {
  if (confirmations.length === 0) return null;
  return (
    <ul aria-label="Confirmation requested" className="mx-4 mb-3 grid gap-2">
      {confirmations.map((each) => (
        <li key={each.id} className="flex items-start gap-2 rounded-md bg-canvas px-3 py-2.5 text-sm">
          <MailQuestionMark className="mt-0.5 size-4 shrink-0 text-ink-muted" aria-hidden />
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="font-medium">Confirmation requested: {scopeWords(each)}</span>
              <ChannelMark channel={each.channel} className="text-ink-muted" />
            </span>
            <span className="mt-0.5 block text-xs text-ink-muted">
              Since <AbsoluteTime value={each.askedAt} />. Until <AbsoluteTime value={each.expiresAt} /> they
              can agree.
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

type State = ConsentStanding["states"][number];

/** Classes down, channels across; a region has a row of its own where it differs. */
function Standing({ standing, address }: { standing: readonly ConsentStanding[]; address: string }) {
  const { href } = usePortal();
  const suppressed = standing.filter((each) => each.suppressed);
  const find = (channel: ConsentStanding, of: string, region: string | null) =>
    channel.states.find((state) => state.class === of && state.region === region);
  const regions = [...new Set(standing.flatMap(({ states }) => states.map(({ region }) => region)))].filter(
    (region) => region !== null,
  );
  const differs = (of: string, region: string) =>
    standing.some((channel) => {
      const [own, general] = [find(channel, of, region), find(channel, of, null)];
      return (
        own?.state !== general?.state || own?.policy !== general?.policy || own?.allowed !== general?.allowed
      );
    });
  return (
    <>
      {suppressed.map(({ channel }) => (
        <p
          key={channel}
          className="mx-4 mb-3 flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning-text"
        >
          <Ban className="mt-0.5 size-4 shrink-0" aria-hidden />
          <span>
            Suppressed on <ChannelMark channel={channel} className="font-medium [&_svg]:hidden" />: nothing is
            sent to it, regardless of consent.{" "}
            <Link href={href("/suppressions", { q: address })} className="underline underline-offset-4">
              Why
            </Link>
          </span>
        </p>
      ))}
      <div className="overflow-x-auto border-t border-line">
        <table className="w-full text-sm" data-testid="standing">
          <caption className="sr-only">Whether a message would be sent, by class and channel</caption>
          <thead>
            <tr className="border-b border-line bg-canvas text-left text-xs text-ink-muted">
              <th scope="col" className="h-8 w-1/3 px-4 font-medium">
                Class
              </th>
              {standing.map(({ channel }) => (
                <th key={channel} scope="col" className="px-4 font-medium">
                  <ChannelMark channel={channel} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {classes.flatMap((of) =>
              [null, ...regions.filter((region) => differs(of, region))].map((region) => (
                <tr key={`${of} ${region ?? ""}`} className="align-top">
                  <th scope="row" className="px-4 py-2.5 text-left font-medium">
                    {region === null ? (
                      classWords[of].label
                    ) : (
                      <span className="block pl-3 font-normal text-ink-muted">
                        {scopeWords({ class: of, region })}
                      </span>
                    )}
                  </th>
                  {standing.map((channel) => (
                    <td key={channel.channel} className="px-4 py-2.5">
                      <Answer state={find(channel, of, region)} suppressed={channel.suppressed} />
                    </td>
                  ))}
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Answer({ state, suppressed }: { state: State | undefined; suppressed: boolean }) {
  if (!state) return null;
  return (
    <>
      <span className="flex items-center gap-1.5 font-medium">
        <Dot tone={state.allowed ? "success" : "danger"} />
        {state.allowed ? "Sent" : "Not sent"}
      </span>
      <span className="mt-0.5 block text-xs text-ink-muted">
        {suppressed
          ? "Suppressed"
          : `${state.state === null ? "No record" : stateWords[state.state]}; ${policyWords[state.policy].needs}`}
      </span>
    </>
  );
}

function Entry({ entry, revealed }: { entry: ConsentEntry; revealed: boolean }) {
  const evidence = Object.entries(entry.evidence ?? {});
  return (
    <li className="grid gap-x-6 gap-y-1 px-4 py-3 text-sm sm:grid-cols-[11rem_minmax(0,1fr)]">
      <AbsoluteTime value={entry.at} withYear className="text-ink-muted tabular" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StateBadge state={entry.state} />
          <span className="font-medium">{scopeWords(entry)}</span>
          <ChannelMark channel={entry.channel} className="text-ink-muted" />
        </p>
        <p className="mt-1 text-ink-muted">{sourceWords[entry.source]}</p>
        {evidence.length > 0 ? (
          <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs">
            {evidence.map(([name, value]) => (
              <EvidenceLine key={name} name={name}>
                {value}
              </EvidenceLine>
            ))}
          </dl>
        ) : revealed ? null : (
          <p className="mt-1 text-xs text-ink-faint">You don't have access to the evidence.</p>
        )}
      </div>
    </li>
  );
}

function EvidenceLine({ name, children }: { name: string; children: ReactNode }) {
  const known: Record<string, string> = { reason: "Reason", recordedBy: "Recorded by" };
  return (
    <>
      <dt className="max-w-24 break-words sm:max-w-40 text-ink-muted">{known[name] ?? name}</dt>
      <dd className="break-words">{children}</dd>
    </>
  );
}

export function StateBadge({ state }: { state: ConsentEntry["state"] }) {
  return <Badge tone={state === "opted_in" ? "success" : "warning"}>{stateWords[state]}</Badge>;
}

function AddressSkeleton() {
  return (
    <Card aria-busy className="grid gap-4 px-4 py-4">
      <Skeleton className="h-5 w-56 max-w-full" />
      {classes.map((of) => (
        <div key={of} className="flex gap-8">
          <Skeleton className="w-28" />
          <Skeleton className="w-20" />
          <Skeleton className="hidden w-20 sm:block" />
        </div>
      ))}
    </Card>
  );
}
