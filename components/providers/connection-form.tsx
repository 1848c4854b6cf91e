"use client";

import { useMutation } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";
import type { ProviderAdapter, ProviderDetail, SenderIdentity } from "../../server/connections/schemas.ts";
import { dataRegions } from "../../server/tenancy/vocabulary.ts";
import { channelLabel } from "../messages/channel.tsx";
import { usePortal, usePortalData } from "../portal/portal-context.tsx";
import { withChosen } from "../portal/with-chosen.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldProblems } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { isolated } from "../ui/isolated.ts";
import { LeaveGuard } from "../ui/leave-guard.tsx";
import { Select } from "../ui/select.tsx";
import { answerOf, ExampleAnswer, noAnswer } from "./example-answer.tsx";
import { JudgedAnswer } from "./judged-answer.tsx";
import { problemAt, SchemaFields } from "./schema-fields.tsx";
import { FormSteps, PresetField, secretLines } from "./form-steps.tsx";
import { alternativesOf, draftOf, stepOf, unreadableJson, valuesOf, withRemoved } from "./schema-values.ts";
import type { FieldSchema, Preset } from "./schema-values.ts";
import { SendersField, typedSenders } from "./senders-field.tsx";
import { TestOutcome } from "./test-outcome.tsx";
import { checkFields } from "../ui/form-complaints.ts";
import { Form } from "../ui/form.tsx";

/** What the form holds, in the forms of the API; the caller creates or changes with it. */
export interface ConnectionInput {
  name: string;
  unit: string | null;
  channels: SenderIdentity["channel"][];
  credentials: Record<string, unknown>;
  settings: Record<string, unknown>;
  processingRegion: string | undefined;
  senders: SenderIdentity[];
  ratePerSecond: number | null;
  maxConcurrency: number;
  slowAfterMs: number;
  inbound: { application: string; environment: string } | null;
}

const everybody = "*";
const nowhere = "-";
const asSettingsSay = "-";

/** One form for a new connection and for changing one; its fields for the account come from the adapter's schemas. */
export function ConnectionForm({
  adapter,
  connection,
  error,
  pending,
  submitLabel,
  cancel,
  onSubmit,
}: {
  adapter: ProviderAdapter;
  /** What is stored, when it is changed. */
  connection: ProviderDetail | null;
  error: unknown;
  pending: boolean;
  submitLabel: string;
  cancel: ReactNode;
  onSubmit: (input: ConnectionInput) => void;
}) {
  const { units, applications, environments, canIn } = usePortal();
  const { applications: all } = usePortalData();
  const trpc = useTRPC();
  const formId = useId();
  const settingsSchema = adapter.settings as FieldSchema;
  const signIns = alternativesOf(adapter.credentials);
  const [signIn, setSignIn] = useState(0);
  const credentialsSchema = signIns[signIn] ?? adapter.credentials;
  const fixed = connection?.provider === "simulator" || connection?.platform === true;

  const mayTenant = canIn("providers:manage", null);
  const ownUnits = units.filter((unit) => canIn("providers:manage", unit.id));
  const [entered, setEntered] = useState(() => ({
    name: connection?.name ?? "",
    unit: connection
      ? (connection.unit ?? everybody)
      : mayTenant
        ? everybody
        : (ownUnits[0]?.slug ?? everybody),
    credentials: draftOf(credentialsSchema),
    settings: draftOf(settingsSchema, connection?.settings),
    region: connection?.processingRegion ?? asSettingsSay,
    channels: connection?.channels ?? [...adapter.channels],
    senders: connection?.senders ?? [],
    ratePerSecond: connection?.ratePerSecond?.toString() ?? "",
    maxConcurrency: String(connection?.maxConcurrency ?? 50),
    slowAfterMs: String(connection?.slowAfterMs ?? 5_000),
    inboundApplication: connection?.inbound?.application ?? nowhere,
    inboundEnvironment:
      connection?.inbound?.environment ?? environments.find((each) => each.kind === "production")?.slug ?? "",
  }));
  const [untouched] = useState(entered);
  const touched = JSON.stringify(entered) !== JSON.stringify(untouched);
  const enter = (changes: Partial<typeof entered>) => setEntered((before) => ({ ...before, ...changes }));
  const { credentials, settings, region, channels, senders, inboundApplication, inboundEnvironment } =
    entered;
  const unit = entered.unit === everybody ? null : entered.unit;

  const [unreadable, setUnreadable] = useState<string[]>([]);
  const [answer, setAnswer] = useState(noAnswer);

  const test = useMutation(trpc.providers.testUnsaved.mutationOptions());
  const problems = new Map(
    [...fieldProblems(error), ...(error ? [] : fieldProblems(test.error))]
      .toReversed()
      .map(({ pointer, detail }) => [pointer, detail]),
  );
  for (const pointer of unreadable) problems.set(pointer, "This is not JSON.");
  const stored = connection?.settings ?? {};

  const { steps } = settingsSchema;
  const [step, setStep] = useState(0);
  const [preset, setPreset] = useState<Preset>();
  const wrongSteps = new Set(
    [...problems.keys()].map((pointer) =>
      pointer === "/processingRegion" ? 0 : stepOf(steps ?? [], pointer),
    ),
  );
  // A new complaint is shown with its field.
  const complained = error ?? test.error;
  const [seen, setSeen] = useState<unknown>(null);
  if (complained !== seen) {
    setSeen(complained);
    const first = Math.min(...[...wrongSteps].filter((each) => each >= 0));
    if (complained && Number.isFinite(first)) setStep(first);
  }

  function startFrom(chosen: Preset | undefined) {
    setPreset(chosen);
    enter({
      settings: draftOf(settingsSchema, chosen?.settings),
      credentials: chosen ? { ...credentials, secrets: secretLines(chosen) } : draftOf(credentialsSchema),
      ...(chosen ? { channels: ["sms" as const] } : {}),
    });
  }

  /** What the account's fields hold, or null when one cannot be read. */
  function account() {
    const wrong = [
      ...unreadableJson(settingsSchema, settings, "/settings"),
      ...unreadableJson(credentialsSchema, credentials, "/credentials"),
    ];
    setUnreadable(wrong);
    if (wrong.length > 0) {
      setStep(Math.max(0, Math.min(...wrong.map((pointer) => stepOf(steps ?? [], pointer)))));
      return null;
    }
    return {
      credentials: valuesOf(credentialsSchema, credentials),
      settings: withRemoved(valuesOf(settingsSchema, settings), stored),
    };
  }

  function runTest() {
    const typed = account();
    if (!typed) return;
    const given = { answer: answerOf(answer) };
    test.mutate(
      connection
        ? { id: connection.id, changes: typed, ...given }
        : { provider: adapter.name, unit, ...typed, ...given },
    );
  }

  function submit() {
    const typed = account();
    if (!typed) return;
    test.reset();
    onSubmit({
      name: entered.name.trim(),
      unit,
      channels,
      ...typed,
      processingRegion: region === asSettingsSay ? undefined : region,
      senders: typedSenders(senders),
      ratePerSecond: entered.ratePerSecond.trim() === "" ? null : Number(entered.ratePerSecond),
      maxConcurrency: Number(entered.maxConcurrency),
      slowAfterMs: Number(entered.slowAfterMs),
      inbound:
        inboundApplication === nowhere
          ? null
          : { application: inboundApplication, environment: inboundEnvironment },
    });
  }

  // A unit's connection has that unit's senders.
  const sendersHaveUnits =
    unit === null || senders.some((sender) => sender.unit != null && sender.unit !== unit);
  const hasCredentials = Object.keys(credentialsSchema.properties ?? {}).length > 0;
  const knownRegions = dataRegions.some(({ code }) => code === region);
  const credentialFields = (only?: readonly string[]) => (
    <SchemaFields
      schema={credentialsSchema}
      draft={credentials}
      onChange={(credentials) => enter({ credentials })}
      pointer="/credentials"
      problems={problems}
      secret
      stored={connection?.credentialsSet ?? []}
      only={only}
    />
  );
  const settingFields = (only?: readonly string[]) => (
    <SchemaFields
      schema={settingsSchema}
      draft={settings}
      onChange={(settings) => enter({ settings })}
      pointer="/settings"
      problems={problems}
      only={only}
    />
  );
  const regionField = (
    <Field
      label="Data is processed in"
      hint="Your organisation must allow the region."
      error={problemAt(problems, "/processingRegion")}
    >
      {(control) => (
        <Select
          {...control}
          value={region}
          onValueChange={(region) => enter({ region })}
          options={[
            { value: asSettingsSay, label: "As the settings imply" },
            ...(knownRegions || region === asSettingsSay ? [] : [{ value: region, label: region }]),
            ...dataRegions.map(({ code, name: label }) => ({ value: code, label, hint: code })),
          ]}
        />
      )}
    </Field>
  );
  const testing = (
    <>
      {adapter.name === "http" ? (
        <ExampleAnswer answer={answer} onChange={setAnswer} problems={problems} />
      ) : null}
      <div className="grid gap-3">
        <div>
          <Button onClick={runTest} pending={test.isPending}>
            Test before saving
          </Button>
        </div>
        {test.data ? <TestOutcome result={test.data} provider={adapter.name} /> : null}
        {test.data?.judgement ? <JudgedAnswer judged={test.data.judgement} /> : null}
        {test.error ? <FormError title={errorText(test.error)} /> : null}
      </div>
    </>
  );
  return (
    <Form
      refused={unreadable.length > 0 ? unreadable : complained}
      id={formId}
      className="grid grid-cols-1 gap-4"
      onSubmit={submit}
    >
      {unreadable.length > 0 ? (
        <FormError title={checkFields} />
      ) : error ? (
        <FormError title={fieldProblems(error).length > 0 ? checkFields : errorText(error)} />
      ) : null}
      <Card>
        <CardHeader title="Connection" description="Shown in the portal and in routing rules." />
        <div className="grid gap-4 px-4 pb-4 sm:grid-cols-2">
          <Field label="Name" error={problemAt(problems, "/name")}>
            {(control) => (
              <Input
                {...control}
                value={entered.name}
                onChange={(event) => enter({ name: event.target.value })}
                maxLength={120}
                required
                autoFocus={connection === null}
                autoComplete="off"
              />
            )}
          </Field>
          <Field
            label="Belongs to"
            hint="A team's own connection is only used for its messages."
            error={problemAt(problems, "/unit")}
          >
            {(control) => (
              <Select
                {...control}
                value={entered.unit}
                onValueChange={(unit) => enter({ unit })}
                disabled={fixed}
                options={[
                  ...(mayTenant || unit === null ? [{ value: everybody, label: "All teams" }] : []),
                  ...ownUnits.map((each) => ({ value: each.slug, label: each.name })),
                ]}
              />
            )}
          </Field>
        </div>
      </Card>

      {fixed ? null : (
        <Card>
          <CardHeader
            title="Account"
            description="Credentials are stored encrypted and can't be shown again. If an address changes, enter them again."
          />
          <div className="grid gap-4 px-4 pb-4">
            {signIns.length > 1 ? (
              <Field label="Sign-in">
                {(control) => (
                  <Select
                    {...control}
                    value={String(signIn)}
                    onValueChange={(value) => {
                      setSignIn(Number(value));
                      enter({ credentials: {} });
                    }}
                    options={signIns.map((each, index) => ({
                      value: String(index),
                      label: each.title ?? `Form ${String(index + 1)}`,
                    }))}
                  />
                )}
              </Field>
            ) : null}
            {steps ? (
              <>
                {connection === null && settingsSchema.presets ? (
                  <PresetField presets={settingsSchema.presets} chosen={preset} onChoose={startFrom} />
                ) : null}
                <FormSteps steps={steps} current={step} wrong={wrongSteps} onChange={setStep}>
                  <div className="grid gap-4 sm:grid-cols-2">
                    {credentialFields(steps[step]?.credentials ?? [])}
                    {settingFields(steps[step]?.settings ?? [])}
                    {step === 0 ? regionField : null}
                  </div>
                  {step === steps.length - 1 ? testing : null}
                </FormSteps>
              </>
            ) : (
              <>
                {hasCredentials ? (
                  <div className="grid gap-4 sm:grid-cols-2">{credentialFields()}</div>
                ) : null}
                <div className="grid gap-4 sm:grid-cols-2">
                  {settingFields()}
                  {regionField}
                </div>
                {testing}
              </>
            )}
          </div>
        </Card>
      )}

      <Card>
        <CardHeader
          title="Senders"
          description={
            connection?.platform === true
              ? "Assigned by the operator. Choose the team for each: only its messages use it, and only it sees the replies."
              : "Who messages come from. A team's own sender is used before shared ones, one with a region before one without, and earlier ones before later ones. Templates can use any of them. Only the team sees replies to its number. *@example.com allows e-mail templates to use any address in a domain."
          }
        />
        <div className="grid gap-4 px-4 pb-4">
          {adapter.channels.length > 1 && !fixed ? (
            <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
              <legend className="mb-1.5 text-sm font-medium">Channels</legend>
              {adapter.channels.map((channel) => (
                <CheckboxField
                  key={channel}
                  label={channelLabel(channel)}
                  checked={channels.includes(channel)}
                  onChange={(on) =>
                    enter({
                      channels: adapter.channels.filter((each) =>
                        each === channel ? on : channels.includes(each),
                      ),
                    })
                  }
                />
              ))}
              {problemAt(problems, "/channels") ? (
                <p className="w-full text-xs text-danger-text">{problemAt(problems, "/channels")}</p>
              ) : null}
            </fieldset>
          ) : null}
          <SendersField
            senders={senders}
            channels={channels}
            units={sendersHaveUnits ? units : null}
            lent={connection?.platform === true}
            onChange={(senders) => enter({ senders })}
            problems={problems}
          />
        </div>
      </Card>

      {adapter.inbound.length > 0 ? (
        <Card>
          <CardHeader
            title="Messages from recipients"
            description="Replies go to the application that sent the message. This is for messages that aren't replies."
          />
          <div className="grid gap-4 px-4 pb-4 sm:grid-cols-2">
            <Field label="Application" error={problemAt(problems, "/inbound/application")}>
              {(control) => (
                <Select
                  {...control}
                  value={inboundApplication}
                  onValueChange={(inboundApplication) => enter({ inboundApplication })}
                  options={[
                    { value: nowhere, label: "None" },
                    ...withChosen(applications, all, inboundApplication).map((each) => ({
                      value: each.name,
                      label: each.title,
                    })),
                  ]}
                />
              )}
            </Field>
            {inboundApplication === nowhere ? null : (
              <Field label="Environment" error={problemAt(problems, "/inbound/environment")}>
                {(control) => (
                  <Select
                    {...control}
                    value={inboundEnvironment}
                    onValueChange={(inboundEnvironment) => enter({ inboundEnvironment })}
                    options={environments
                      .filter((each) => (each.kind === "sandbox") === (adapter.name === "simulator"))
                      .map((each) => ({ value: each.slug, label: each.name }))}
                  />
                )}
              </Field>
            )}
          </div>
        </Card>
      ) : null}

      <Card>
        <CardHeader title="Limits" />
        <div className="grid gap-4 px-4 pb-4 sm:grid-cols-3">
          <NumberField
            label="Messages per second"
            optional
            hint="Across all workers. Leave empty for no limit."
            value={entered.ratePerSecond}
            onChange={(ratePerSecond) => enter({ ratePerSecond })}
            error={problemAt(problems, "/ratePerSecond")}
          />
          <NumberField
            label="Concurrent calls"
            hint="Per worker."
            value={entered.maxConcurrency}
            onChange={(maxConcurrency) => enter({ maxConcurrency })}
            error={problemAt(problems, "/maxConcurrency")}
          />
          <NumberField
            label="Slow after, ms"
            hint="Longer calls count as slow."
            value={entered.slowAfterMs}
            onChange={(slowAfterMs) => enter({ slowAfterMs })}
            error={problemAt(problems, "/slowAfterMs")}
          />
        </div>
      </Card>

      <div className="flex flex-wrap justify-end gap-2">
        {cancel}
        <Button type="submit" variant="primary" pending={pending}>
          {submitLabel}
        </Button>
      </div>
      {touched ? (
        <LeaveGuard onDiscard={() => undefined} parameter={connection ? undefined : "provider"}>
          {isolated(connection ? `Your changes to “${connection.name}”` : "The new connection")} will be lost.
        </LeaveGuard>
      ) : null}
    </Form>
  );
}

function NumberField({
  label,
  hint,
  value,
  error,
  optional,
  onChange,
}: {
  label: string;
  hint: string;
  value: string;
  error: string | undefined;
  optional?: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <Input
          {...control}
          type="number"
          min={1}
          step={1}
          required={!optional}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
