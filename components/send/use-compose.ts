"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { usePortal } from "../portal/portal-context.tsx";
import { statusOf, useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { enteredText } from "./entered-text.ts";
import { liveVersion, whyNotLive } from "./live-templates.ts";
import { useLiveTemplates } from "./use-live-templates.ts";
import type { DeclaredVariable } from "./variable-fields.tsx";

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

/** What is said about a template of the address that could not be read. */
function whyUnknown(error: unknown): string {
  return (statusOf(error) ?? 500) < 500
    ? "Can't find the template of this link. Choose another one."
    : errorText(error);
}

/** The state of the compose form. Application and template are in the URL, so that a link opens the same form. */
export function useCompose() {
  const { applications, environment, user } = usePortal();
  const trpc = useTRPC();
  const [chosen, setChosen] = useQueryStates({ application: parseAsString, template: parseAsString });
  // What the address names is never replaced by another one, however many templates there are.
  const namedQuery = useQuery(
    trpc.templates.get.queryOptions({ id: chosen.template ?? "" }, { enabled: chosen.template !== null }),
  );
  const named = namedQuery.data;
  const applicationOf = (name: string | null | undefined) => applications.find((each) => each.name === name);
  const application =
    applicationOf(named?.application) ?? applicationOf(chosen.application) ?? applications[0];

  const live = useLiveTemplates(application?.name);
  const typesQuery = useQuery(trpc.tenancy.notificationTypes.queryOptions(undefined, { staleTime: 60_000 }));
  const notLive = named && whyNotLive(named, environment, applications);
  const templates = [
    ...live.templates,
    ...(named && !notLive && !live.templates.some(({ id }) => id === named.id) ? [named] : []),
  ].toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.channel.localeCompare(b.channel));
  const classes = new Map((typesQuery.data?.data ?? []).map((each) => [each.type, each.class]));
  const easy = () =>
    easiest(live.complete ? templates : [], (each) => [
      // To start from: what needs no opt-in, by mail, which reaches the reader themself, in the usual language.
      classes.get(each.notificationType) !== "marketing",
      classes.get(each.notificationType) === "transactional",
      each.channel === "email",
      each.language === null || each.language === application?.defaultLanguage,
    ]);
  // Stays for this form, whatever goes live or stops being live meanwhile: nobody is to send another one unseen.
  const form = `${environment.id} ${application?.name ?? ""}`;
  const [start, setStart] = useState<{ form: string; id: string } | null>(null);
  const first =
    chosen.template === null && start?.form !== form && !typesQuery.isPending ? easy() : undefined;
  if (first) setStart({ form, id: first.id });
  const templateId = chosen.template ?? (start?.form === form ? start.id : null);
  const summary = templateId === null ? easy() : templates.find((each) => each.id === templateId);
  const version = summary && liveVersion(summary, environment.id);
  const contentQuery = useQuery(
    trpc.templates.get.queryOptions({ id: summary?.id ?? "", version }, { enabled: summary !== undefined }),
  );
  const template = contentQuery.data?.id === summary?.id ? contentQuery.data : undefined;
  const unknown = namedQuery.isError && !named ? whyUnknown(namedQuery.error) : undefined;
  const unread = contentQuery.isError && !template ? errorText(contentQuery.error) : undefined;

  const [recipients, setRecipients] = useState<Record<string, string[]>>({});
  const [recipientText, setRecipientText] = useState("");
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
    templates,
    /** Why there are no templates to choose from, and how to ask again. */
    live,
    noTemplates: live.complete && templates.length === 0,
    /** Which template it is, is not known yet. */
    pending: summary === undefined && (chosen.template === null ? !live.complete : namedQuery.isPending),
    /** Why there is no template to send, though one was chosen. */
    templateProblem: summary ? unread : (notLive ?? unknown),
    /** Id of the chosen template, known before its content is. */
    templateId: summary?.id ?? "",
    /** With the variables of the version that is live here. */
    template,
    setTemplate: (id: string) => {
      setAudience({});
      void setChosen({ application: application?.name ?? null, template: id });
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
      if (!template) return;
      const before: Record<string, string> = typed[template.id] ?? {};
      const { [name]: _, ...others } = before;
      const variable = template.variables.find((each) => each.name === name);
      const own = variable && startValue(variable) === value ? others : { ...others, [name]: value };
      setTyped({ ...typed, [template.id]: own });
    },
    recipientText,
    setRecipientText,
    /** All that was entered, to compare it. */
    entered: enteredText(recipients, recipientText, typed, audience),
    problems,
    order: stableOrder,
    ready: complete && realRecipients.length > 0 && Object.keys(problems).length === 0,
    idempotencyKey,
    renewKey: () => setIdempotencyKey(crypto.randomUUID()),
  };
}
