"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Badge, Dot } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { PlaceInput } from "../ui/place-input.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { classWords, policyWords, regionName, stateWords } from "./consent-words.ts";
import { preview, type PolicyDraft } from "./policy-draft.ts";

/** Which classes a recipient would be sent under the policy as it is edited. Not a form: it stands in one. */
export function PolicyPreview({
  draft,
  saved,
  edited,
}: {
  draft: PolicyDraft;
  saved: PolicyDraft;
  edited: boolean;
}) {
  const { environment, can, applications } = usePortal();
  const trpc = useTRPC();
  const [typed, setTyped] = useState("");
  const [address, setAddress] = useState<string | null>(null);
  const [region, setRegion] = useState(applications[0]?.defaultRegion ?? "DE");
  const query = useQuery(
    trpc.consent.ofAddress.queryOptions(
      { environmentId: environment.id, address: address ?? "", limit: 1 },
      { enabled: address !== null, retry: false, gcTime: 0 },
    ),
  );
  if (!can("consent:read") || !can("content:reveal")) return null;
  const look = () => {
    if (typed.trim() !== "") setAddress(typed.trim());
  };
  const before = query.data ? preview(query.data.standing, saved, region) : [];
  const after = query.data ? preview(query.data.standing, draft, region) : [];
  return (
    <Card>
      <CardHeader
        title="Try it on a recipient"
        description={`What they would receive under the policy on this page, given their consent ${environment.kind === "sandbox" ? "in the sandbox" : `in ${environment.name}`}`}
      />
      <div className="grid items-start gap-3 px-4 pb-4 sm:grid-cols-[minmax(0,1fr)_13rem_auto]">
        <Field label="Address" error={query.isError && !query.data ? errorText(query.error) : undefined}>
          {(control) => (
            <Input
              {...control}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                look();
              }}
              placeholder="ada@example.com or +4915112345678"
              maxLength={320}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Region">
          {(control) => <PlaceInput kind="region" {...control} value={region} onValueChange={setRegion} />}
        </Field>
        <Button className="sm:mt-6.5" pending={query.isFetching} onClick={look}>
          Try it
        </Button>
      </div>
      {query.data ? (
        <div data-testid="preview" className="border-t border-line px-4 py-3 text-sm">
          <p className="text-ink-muted">
            <span className="font-medium break-all text-ink">{query.data.address}</span> in{" "}
            {regionName(region)}
            {edited ? ", under the unsaved policy" : null}
          </p>
          <div className="mt-3 grid gap-5 sm:grid-cols-2">
            {after.map((channel, index) => (
              <section key={channel.channel}>
                <h3 className="text-sm font-medium">
                  <ChannelMark channel={channel.channel} />
                </h3>
                <ul className="mt-1.5 grid gap-2">
                  {channel.classes.map((each, place) => (
                    <li key={each.class}>
                      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                        <Dot tone={each.allowed ? "success" : "danger"} />
                        {classWords[each.class].label}: {each.allowed ? "sent" : "not sent"}
                        {before[index]?.classes[place]?.allowed === each.allowed ? null : (
                          <Badge tone="accent">
                            {each.allowed ? "Currently not sent" : "Currently sent"}
                          </Badge>
                        )}
                      </p>
                      <p className="pl-3.5 text-xs text-ink-muted">
                        {channel.suppressed
                          ? "This address is suppressed"
                          : `${each.said === null ? "No record" : stateWords[each.said]}; ${policyWords[each.policy].needs}`}
                      </p>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
        </div>
      ) : null}
    </Card>
  );
}
