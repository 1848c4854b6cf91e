"use client";

import { useMutation } from "@tanstack/react-query";
import { Check, Plus, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { ListedProvider } from "../../server/sso/schemas.ts";
import { usePlaceName } from "../members/use-grantable.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { plural } from "../ui/format.ts";
import { named } from "../ui/isolated.ts";
import { providerTexts } from "./provider-texts.tsx";

const RuleDialog = dynamic(() => import("./rule-dialog.tsx").then((module) => module.RuleDialog));

type Rule = ListedProvider["rules"][number];
type Asked = { what: "off" } | { what: "remove" } | { what: "rule"; rule: Rule };

/** One provider: how it is reached, a test of it, and the roles that it gives. */
export function ProviderCard({
  provider,
  redirectUri,
  mayConnect,
  onEdit,
}: {
  provider: ListedProvider;
  redirectUri: string;
  mayConnect: boolean;
  onEdit: () => void;
}) {
  const { canIn } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("sso", "roles", "members");
  const placeName = usePlaceName();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [adding, setAdding] = useState(false);
  const done = (text: string) => ({
    onSuccess: async () => {
      toast.success(text);
      setAsked(null);
      await refresh();
    },
    onError: (error: unknown) => {
      setAsked(null);
      toast.error(errorText(error));
    },
  });
  const test = useMutation(
    trpc.sso.test.mutationOptions({ onError: (error) => toast.error(errorText(error)) }),
  );
  const on = useMutation(trpc.sso.switch.mutationOptions(done(`${provider.name} is switched on`)));
  const off = useMutation(trpc.sso.switch.mutationOptions(done(`${provider.name} is switched off`)));
  const remove = useMutation(trpc.sso.remove.mutationOptions(done(`${provider.name} removed`)));
  const removeRule = useMutation(trpc.sso.removeRule.mutationOptions(done("Rule removed")));
  const whoOf = (rule: Rule) => rule.value ?? "Everyone";
  const facts: readonly [string, string, boolean][] = [
    ["Issuer", provider.issuer, false],
    ["Client ID", provider.clientId, false],
    ["Redirect URI", redirectUri, true],
  ];
  return (
    <Card role="region" aria-label={provider.name}>
      <CardHeader
        title={
          <span className="flex flex-wrap items-center gap-2">
            <span className="break-words">{provider.name}</span>
            <Badge tone={provider.enabled ? "success" : "neutral"}>{provider.enabled ? "On" : "Off"}</Badge>
          </span>
        }
        description={`${provider.kind === "oidc" ? "OpenID Connect" : providerTexts[provider.kind].label}. ${
          provider.people === 0
            ? "No sign-ins yet"
            : `${plural(provider.people, "person", "people")} signed in through it`
        }. ${provider.admits ? "New people join when they first sign in." : "Members only."}`}
      />
      <div className="grid gap-3 px-4 pb-4 text-sm">
        <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 rounded-md border border-line bg-sunken px-3 py-2">
          {facts.map(([label, value, copied]) => (
            <div key={label} className="contents">
              <dt className="pt-1 text-xs text-ink-muted">{label}</dt>
              <dd className="flex min-w-0 items-start gap-1">
                <code className="min-w-0 flex-1 font-mono text-xs leading-6 break-all">{value}</code>
                {copied ? (
                  <CopyButton value={value} label={`Copy redirect URI for ${provider.name}`} />
                ) : null}
              </dd>
            </div>
          ))}
        </dl>
        {mayConnect ? (
          <div className="flex flex-wrap gap-2">
            {provider.enabled ? (
              <Button size="sm" onClick={() => setAsked({ what: "off" })}>
                Switch off…
              </Button>
            ) : (
              <Button
                size="sm"
                variant="primary"
                pending={on.isPending}
                onClick={() => on.mutate({ id: provider.id, enabled: true })}
              >
                Switch on
              </Button>
            )}
            <Button size="sm" pending={test.isPending} onClick={() => test.mutate({ id: provider.id })}>
              Test
            </Button>
            <Button
              size="sm"
              onClick={() => {
                test.reset();
                onEdit();
              }}
            >
              Change…
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setAsked({ what: "remove" })}>
              Remove…
            </Button>
          </div>
        ) : null}
        {test.data ? (
          <div role="status">
            <ul aria-label="Test" className="grid gap-1">
              {test.data.steps.map(({ ok, text }) => (
                <li key={text} className={`flex items-start gap-2 ${ok ? "" : "text-danger-text"}`}>
                  {ok ? (
                    <Check className="mt-0.5 size-4 shrink-0 text-success-text" aria-label="Passed" />
                  ) : (
                    <X className="mt-0.5 size-4 shrink-0" aria-label="Failed" />
                  )}
                  <span className="min-w-0 break-words">{text}</span>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
      <section
        aria-label={`Roles through ${provider.name}`}
        className="border-t border-line px-4 py-3 text-sm"
      >
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 className="font-medium">Roles</h3>
          <Button size="sm" onClick={() => setAdding(true)}>
            <Plus aria-hidden /> Add rule
          </Button>
        </div>
        {provider.rules.length === 0 ? (
          <p className="mt-1 text-ink-muted">No rules. New members can sign in but see nothing.</p>
        ) : (
          <ul
            aria-label={`Rules of ${provider.name}`}
            className="mt-2 divide-y divide-line rounded-md border border-line"
          >
            {provider.rules.map((rule) => (
              <li key={rule.id} className="flex items-center gap-3 px-3 py-2">
                <span className="min-w-0 flex-1">
                  <span className="block break-words">
                    {rule.value === null ? (
                      "Everyone"
                    ) : (
                      <>
                        {provider.roleClaim} <code className="font-mono text-xs break-all">{rule.value}</code>
                      </>
                    )}
                  </span>
                  <span className="block text-xs text-ink-muted">
                    {rule.role.name}, {placeName(rule.unitId)}; added by {rule.createdBy}
                  </span>
                </span>
                {rule.role.permissions.every((permission) => canIn(permission, rule.unitId)) ? (
                  <Button
                    variant="ghost"
                    size="iconSm"
                    aria-label={`Remove rule for ${whoOf(rule)}`}
                    onClick={() => setAsked({ what: "rule", rule })}
                  >
                    <X aria-hidden />
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </section>
      {adding ? <RuleDialog provider={provider} onClose={() => setAdding(false)} /> : null}
      <ConfirmDialog
        open={asked?.what === "off"}
        onClose={() => setAsked(null)}
        title={`Switch ${named(provider.name)} off?`}
        confirmLabel="Switch off"
        pending={off.isPending}
        onConfirm={() => off.mutate({ id: provider.id, enabled: false })}
      >
        It is no longer offered, and everyone who signed in through it is signed out immediately.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked?.what === "remove"}
        onClose={() => setAsked(null)}
        title={`Remove ${named(provider.name)}?`}
        confirmLabel="Remove provider"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id: provider.id })}
      >
        Its rules, the roles they assigned and its sessions are removed. Accounts are kept. Members without a
        password can sign in with another provider or reset their password.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked?.what === "rule"}
        onClose={() => setAsked(null)}
        title={asked?.what === "rule" ? `Remove rule for ${whoOf(asked.rule)}?` : ""}
        confirmLabel="Remove rule"
        pending={removeRule.isPending}
        onConfirm={() => asked?.what === "rule" && removeRule.mutate({ id: asked.rule.id })}
      >
        Everyone with “{asked?.what === "rule" ? asked.rule.role.name : ""}” through it loses it immediately,
        unless another rule assigns it.
      </ConfirmDialog>
    </Card>
  );
}
