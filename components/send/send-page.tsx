"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { FileText, Send as SendIcon } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { errorCode, errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { LeaveGuard } from "../ui/leave-guard.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { CreateTemplate } from "./create-template.tsx";
import { nothingEntered } from "./entered-text.ts";
import { RecipientsField } from "./recipients-field.tsx";
import { SandboxHints } from "./sandbox-hints.tsx";
import { SendPreview } from "./send-preview.tsx";
import { SendResult } from "./send-result.tsx";
import { earlierArrived, sentWords, type SentMessage } from "./sent-words.ts";
import { useCompose } from "./use-compose.ts";
import { SkippedRecipients } from "./skipped-recipients.tsx";
import { VariableFields } from "./variable-fields.tsx";
import { PlaceInput } from "../ui/place-input.tsx";
import { Form } from "../ui/form.tsx";
import { useSettled } from "../ui/use-settled.ts";

function refusalText(error: unknown): string {
  return errorCode(error) === "idempotency_mismatch"
    ? `${earlierArrived} Look at Messages, then send again if these are to be sent as well.`
    : errorText(error);
}

export function SendPage() {
  const { environment, environments, user } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const compose = useCompose();
  const [result, setResult] = useState<{ requestId: string; env: string; messages: SentMessage[] } | null>(
    null,
  );
  /** What the form held when it was sent last: leaving that loses nothing. */
  const [sent, setSent] = useState(nothingEntered);

  const order = useSettled(compose.order, 350);
  const explanation = useQuery(
    trpc.notifications.explain.queryOptions(
      // Disabled while there is no order; the input is then never sent.
      order ?? {
        environmentId: environment.id,
        application: "-",
        notificationType: "-",
        notificationSubtype: "-",
        recipients: [],
      },
      { enabled: order !== null, placeholderData: keepPreviousData, retry: false, staleTime: 30_000 },
    ),
  );

  const send = useMutation(
    trpc.notifications.send.mutationOptions({
      onSuccess: async (answer, { environmentId }) => {
        const { title, accepted, rejected } = sentWords(answer.notifications);
        if (accepted === 0) toast.error(title);
        else if (rejected > 0) toast.warning(title);
        else toast.success(`${plural(accepted, "message")} on the way`);
        const env = environments.find(({ id }) => id === environmentId)?.slug ?? environment.slug;
        setResult({ requestId: answer.requestId, env, messages: answer.notifications });
        compose.renewKey();
        window.scrollTo({ top: 0, behavior: "smooth" });
        await queryClient.invalidateQueries({ queryKey: trpc.notifications.list.pathKey() });
      },
      onError: (error) => {
        if (errorCode(error) === "idempotency_mismatch") compose.renewKey();
      },
    }),
  );

  function submit() {
    if (!compose.ready || !compose.order) return;
    send.mutate(
      {
        ...compose.order,
        recipients: compose.realRecipients,
        idempotencyKey: compose.idempotencyKey,
      },
      { onSuccess: () => setSent(compose.entered) },
    );
  }
  useShortcut("mod+Enter", submit, { label: "Send", enabled: compose.ready && !send.isPending });

  const { template } = compose;

  return (
    <PageFrame>
      <PageHeader
        title="Send"
        description={
          environment.kind === "sandbox"
            ? "Send a template to the simulator. Nothing is really sent."
            : "Send a live template to yourself or a few people."
        }
      />
      {result ? (
        <SendResult
          key={result.requestId}
          requestId={result.requestId}
          env={result.env}
          messages={result.messages}
          onAgain={() => {
            setResult(null);
            send.reset();
          }}
        />
      ) : null}
      {compose.live.error ? (
        <QueryFailed what="templates" query={compose.live} />
      ) : compose.noTemplates ? (
        <Card>
          <NothingYet
            icon={FileText}
            title={`No template is live in ${environment.name}`}
            action={<CreateTemplate application={compose.application} />}
          >
            Messages are made from templates. Create one and promote it, or choose an environment that has
            some.
          </NothingYet>
        </Card>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
          <Form className="grid min-w-0 grid-cols-1 gap-4" onSubmit={submit}>
            <Card>
              <CardHeader title="What" actions={<CreateTemplate application={compose.application} />} />
              <div className="grid gap-4 px-4 pb-4">
                {compose.applications.length > 1 ? (
                  <Field label="Application">
                    {(control) => (
                      <Select
                        {...control}
                        value={compose.application}
                        onValueChange={compose.setApplication}
                        options={compose.applications.map((each) => ({
                          value: each.name,
                          label: each.title,
                        }))}
                      />
                    )}
                  </Field>
                ) : null}
                <Field
                  label="Template"
                  error={compose.templateProblem}
                  hint={
                    template
                      ? `${template.notificationType} / ${template.notificationSubtype}, version ${template.version}`
                      : undefined
                  }
                >
                  {(control) =>
                    compose.pending ? (
                      <Skeleton className="h-8 w-full" />
                    ) : (
                      <Select
                        {...control}
                        value={compose.templateId}
                        onValueChange={compose.setTemplate}
                        options={compose.templates.map((each) => ({
                          value: each.id,
                          label: (
                            <span className="inline-flex items-center gap-2">
                              <ChannelMark channel={each.channel} iconOnly />
                              {each.name}
                              <span className="text-xs text-ink-muted">
                                {[each.region, each.language].filter(Boolean).join(", ")}
                              </span>
                            </span>
                          ),
                        }))}
                      />
                    )
                  }
                </Field>
              </div>
            </Card>
            {template ? (
              <>
                <Card>
                  <CardHeader title="To whom" />
                  <div className="grid gap-4 px-4 pb-4">
                    <RecipientsField
                      key={template.channel === "email" ? "email" : "phone"}
                      channel={template.channel}
                      recipients={compose.recipients}
                      onChange={compose.setRecipients}
                      text={compose.recipientText}
                      onType={compose.setRecipientText}
                      ownAddress={template.channel === "email" ? user.email : null}
                      error={compose.problems.recipients}
                    />
                    {compose.realRecipients.length > 0 && explanation.data ? (
                      <SkippedRecipients
                        recipients={compose.realRecipients.length}
                        messages={explanation.data.messages}
                        updating={explanation.isFetching || order !== compose.order}
                      />
                    ) : null}
                    {environment.kind === "sandbox" ? <SandboxHints channel={template.channel} /> : null}
                    <div className="grid grid-cols-2 gap-4">
                      <Field label="Region">
                        {(control) => (
                          <PlaceInput
                            kind="region"
                            {...control}
                            value={compose.region}
                            onValueChange={compose.setRegion}
                          />
                        )}
                      </Field>
                      <Field label="Language">
                        {(control) => (
                          <PlaceInput
                            kind="language"
                            {...control}
                            value={compose.language}
                            onValueChange={compose.setLanguage}
                          />
                        )}
                      </Field>
                    </div>
                  </div>
                </Card>
                {template.variables.length > 0 ? (
                  <Card>
                    <CardHeader title="Variables" description="Filled with the template’s examples" />
                    <div className="px-4 pb-4">
                      <VariableFields
                        variables={template.variables}
                        values={compose.variables}
                        onChange={compose.setVariable}
                        problems={compose.problems}
                      />
                    </div>
                  </Card>
                ) : null}
                {send.error ? <FormError title={refusalText(send.error)} /> : null}
                <div className="flex items-center justify-end gap-3">
                  <span className="text-xs text-ink-muted">
                    {compose.realRecipients.length === 0
                      ? "Add a recipient to send"
                      : `${plural(compose.realRecipients.length, "recipient")} in ${environment.name}`}
                  </span>
                  <Button
                    type="submit"
                    variant="primary"
                    size="lg"
                    disabled={!compose.ready}
                    pending={send.isPending}
                  >
                    <SendIcon aria-hidden /> Send
                  </Button>
                </div>
              </>
            ) : null}
          </Form>
          {compose.templateProblem ? null : (
            <SendPreview
              explanation={explanation.data}
              error={explanation.error}
              channel={template?.channel}
              sample={compose.recipients.length === 0}
              waiting={explanation.isFetching}
            />
          )}
        </div>
      )}
      {compose.entered !== nothingEntered && compose.entered !== sent ? (
        <LeaveGuard title="Leave without sending?" onDiscard={() => undefined}>
          What you entered will be lost.
        </LeaveGuard>
      ) : null}
    </PageFrame>
  );
}
