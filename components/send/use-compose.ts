"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import type { TemplateSummary } from "../../server/templates/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import type { DeclaredVariable } from "./variable-fields.tsx";

/** The version that is live in an environment; undefined when none is, or the kill switch is on. */
function liveVersion(template: TemplateSummary, environmentId: string): number | undefined {
  return template.deployments.find((each) => each.environmentId === environmentId && !each.disabled)?.version;
}

/** The one that fulfils most of the wishes; the first of equals. */
function easiest<T>(items: readonly T[], wishes: (item: T) => boolean[]): T | undefined {
  const score = (item: T) => wishes(item).filter(Boolean).length;
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || score(item) > score(best) ? item : best),
    undefined,
  );
}

const samplePhone = "+4915112345678";

function startValue(variable: DeclaredVariable): string {
  if (variable.example !== undefined) return variable.example;
  return variable.type === "enum" ? (variable.values?.[0] ?? "") : "";
}

/** The state of the compose form. Application and template are in the URL, so that a link opens the same form. */
export function useCompose() {
  const { applications, environment, user } = usePortal();
  const trpc = useTRPC();
  const [chosen, setChosen] = useQueryStates({ application: parseAsString, template: parseAsString });
  const application = applications.find((each) => each.name === chosen.application) ?? applications[0];

  const templatesQuery = useQuery(
    trpc.templates.list.queryOptions({
      application: application?.name,
      limit: 200,
    }),
  );
  const typesQuery = useQuery(trpc.tenancy.notificationTypes.queryOptions(undefined, { staleTime: 60_000 }));
  const templates = (templatesQuery.data?.data ?? [])
    .filter((each) => each.archivedAt === null && liveVersion(each, environment.id) !== undefined)
    .toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.channel.localeCompare(b.channel));
  const classes = new Map((typesQuery.data?.data ?? []).map((each) => [each.type, each.class]));
  const summary =
    templates.find((each) => each.id === chosen.template) ??
    easiest(templates, (each) => [
      // To start from: what needs no opt-in, by mail, which reaches the reader themself, in the usual language.
      classes.get(each.notificationType) !== "marketing",
      classes.get(each.notificationType) === "transactional",
      each.channel === "email",
      each.language === null || each.language === application?.defaultLanguage,
    ]);
  const version = summary && liveVersion(summary, environment.id);
  const contentQuery = useQuery(
    trpc.templates.get.queryOptions({ id: summary?.id ?? "", version }, { enabled: summary !== undefined }),
  );
  const template = contentQuery.data?.id === summary?.id ? contentQuery.data : undefined;

  const [recipients, setRecipients] = useState<Record<string, string[]>>({});
  const [typed, setTyped] = useState<Record<string, Record<string, string>>>({});
  const [audience, setAudience] = useState<{ region?: string; language?: string }>({});
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());

  const kind = template?.channel === "email" ? "email" : "phone";
  const realRecipients = template
    ? (recipients[kind] ?? []).map((recipient) => ({ channel: template.channel, recipient }))
    : [];
  const region = audience.region ?? template?.region ?? application?.defaultRegion ?? "";
  const language = audience.language ?? template?.language ?? application?.defaultLanguage ?? "";

  const values = useMemo(() => {
    if (!template) return {};
    const own = typed[template.id] ?? {};
    return Object.fromEntries(
      template.variables.map((variable) => [variable.name, own[variable.name] ?? startValue(variable)]),
    );
  }, [template, typed]);

  const problems: Record<string, string> = {};
  for (const variable of template?.variables ?? []) {
    if (variable.required && values[variable.name] === "")
      problems[variable.name] = "The template needs this.";
  }

  const complete =
    template !== undefined &&
    application !== undefined &&
    /^[A-Z]{2}$/.test(region) &&
    /^[a-z]{2}$/.test(language);
  // Left out rather than sent empty: an optional variable without a value is not given.
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
  const order = complete
    ? {
        environmentId: environment.id,
        application: application.name,
        notificationType: template.notificationType,
        notificationSubtype: template.notificationSubtype,
        region,
        language,
        recipients:
          realRecipients.length > 0
            ? realRecipients
            : [{ channel: template.channel, recipient: kind === "email" ? user.email : samplePhone }],
        variables: given,
      }
    : null;
  const orderText = JSON.stringify(order);
  // The same order keeps its identity, so that the preview asks again only when something changed.
  const stableOrder = useMemo(() => JSON.parse(orderText) as typeof order, [orderText]);

  return {
    applications,
    application: application?.name ?? "",
    setApplication: (name: string) => void setChosen({ application: name, template: null }),
    templatesQuery,
    templates,
    noTemplates: templatesQuery.isSuccess && templates.length === 0,
    /** Id of the chosen template, known before its content is. */
    templateId: summary?.id ?? "",
    /** With the variables of the version that is live here. */
    template,
    contentError: contentQuery.error,
    setTemplate: (id: string) => {
      setAudience({});
      void setChosen({ template: id });
    },
    recipients: recipients[kind] ?? [],
    realRecipients,
    setRecipients: (next: string[]) => setRecipients({ ...recipients, [kind]: next }),
    region,
    setRegion: (next: string) => setAudience({ ...audience, region: next }),
    language,
    setLanguage: (next: string) => setAudience({ ...audience, language: next }),
    variables: values,
    setVariable: (name: string, value: string) => {
      if (template) setTyped({ ...typed, [template.id]: { ...typed[template.id], [name]: value } });
    },
    problems,
    order: stableOrder,
    ready: complete && realRecipients.length > 0 && Object.keys(problems).length === 0,
    idempotencyKey,
    renewKey: () => setIdempotencyKey(crypto.randomUUID()),
  };
}
