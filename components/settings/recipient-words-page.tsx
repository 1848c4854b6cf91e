"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import {
  ownWordsSchema,
  wordRepliesUpdateSchema,
  type OwnWordLists,
  type WordReplySettings,
} from "../../server/consent/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { changedFields } from "../ui/changed-fields.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextareaField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { SettingsHeader } from "./settings-frame.tsx";
import { SettingsSkeleton } from "./settings-skeleton.tsx";

const kinds = [
  {
    kind: "stop",
    title: "Stop",
    usual: "STOP, UNSUBSCRIBE, CANCEL, END, QUIT, OPT OUT …",
    says: "Opts the recipient out of the class of message they reply to, and of marketing.",
  },
  {
    kind: "start",
    title: "Start",
    usual: "START, UNSTOP, SUBSCRIBE …",
    says: "Opts the recipient back in to the class of message they reply to.",
  },
  {
    kind: "help",
    title: "Help",
    usual: "HELP, INFO …",
    says: "Marked in the conversation and answered. Doesn't change consent.",
  },
] as const;

const answers = [
  {
    kind: "stop",
    title: "After STOP",
    says: "Confirms the opt-out and says what stops and what they still receive. The only message sent despite the opt-out.",
  },
  { kind: "start", title: "After START", says: "Says what the recipient receives again and how to stop it." },
  { kind: "help", title: "After HELP", says: "Says who you are, how to get help and how to stop messages." },
] as const;

const onOrOff = [
  { value: "on", label: "Reply" },
  { value: "off", label: "Don't reply" },
];
const onOff = (enabled: boolean) => (enabled ? "on" : "off");

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The words by which recipients say stop, start and help: the usual ones, and the organisation's own. */
export function RecipientWordsPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.consent.words.queryOptions());
  const repliesQuery = useQuery(trpc.consent.replies.queryOptions());
  const [changing, setChanging] = useState<"words" | "replies" | null>(null);
  if (query.isPending || repliesQuery.isPending) return <SettingsSkeleton />;
  const words = query.data;
  const replies = repliesQuery.data;
  return (
    <>
      <SettingsHeader
        path="/recipient-words"
        actions={words ? <Button onClick={() => setChanging("words")}>Edit keywords</Button> : null}
      />
      {words ? (
        <Card>
          <CardHeader
            title="Keywords"
            description="The usual keywords work in SMS and WhatsApp, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish, Swedish, Arabic and Hindi. Your own must be the whole message."
          />
          <ul className="divide-y divide-line border-t border-line">
            {kinds.map(({ kind, title, usual, says }) => (
              <li
                key={kind}
                className="grid gap-x-6 gap-y-2 px-4 py-3 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]"
              >
                <p className="font-medium">{title}</p>
                <div className="grid gap-2">
                  <p className="text-ink-muted">{says}</p>
                  <p className="text-ink-muted">In English: {usual}</p>
                  {words[kind].length === 0 ? (
                    <p className="text-ink-muted">No keywords of your own.</p>
                  ) : (
                    <p className="flex flex-wrap gap-1.5">
                      <span className="text-ink-muted">Yours:</span>
                      {words[kind].map((word) => (
                        <Badge key={word} tone="neutral">
                          {word}
                        </Badge>
                      ))}
                    </p>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Card>
      ) : (
        <QueryFailed what="the words" query={query} />
      )}
      {replies ? (
        <Card className="mt-4">
          <CardHeader
            title="Automatic replies"
            description="Sent by SMS and WhatsApp from the number the recipient wrote to. At most one of each kind per hour and five per day. Not sent if your provider replies itself."
            actions={<Button onClick={() => setChanging("replies")}>Edit replies</Button>}
          />
          <ul className="divide-y divide-line border-t border-line">
            {answers.map(({ kind, title, says }) => (
              <li
                key={kind}
                className="grid gap-x-6 gap-y-2 px-4 py-3 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]"
              >
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {title}
                  <Badge tone={replies[kind].enabled ? "success" : "neutral"}>
                    {replies[kind].enabled ? "On" : "Off"}
                  </Badge>
                </p>
                <div className="grid gap-2">
                  <p className="text-ink-muted">{says}</p>
                  <p className="break-words">
                    {replies[kind].text ?? (
                      <span className="text-ink-muted">Default text, in the recipient’s language.</span>
                    )}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      ) : (
        <QueryFailed what="the automatic replies" query={repliesQuery} />
      )}
      {words && changing === "words" ? <WordsDialog words={words} onClose={() => setChanging(null)} /> : null}
      {replies && changing === "replies" ? (
        <RepliesDialog replies={replies} onClose={() => setChanging(null)} />
      ) : null}
    </>
  );
}

function WordsDialog({ words, onClose }: { words: OwnWordLists; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const update = useMutation(trpc.consent.updateWords.mutationOptions());
  // As they were when the dialog opened: only the kinds that differ are sent, so that what others change at the same time stays.
  const [opened] = useState(words);
  const form = useOperationForm({
    schema: ownWordsSchema,
    defaultValues: {
      stop: words.stop.join("\n"),
      start: words.start.join("\n"),
      help: words.help.join("\n"),
    },
    input: (typed) => ({
      stop: linesOf(typed.stop),
      start: linesOf(typed.start),
      help: linesOf(typed.help),
    }),
    send: async (input) => {
      const changed = changedFields(opened, input);
      const expected = Object.fromEntries(
        kinds.filter(({ kind }) => changed[kind]).map(({ kind }) => [kind, opened[kind]]),
      );
      const saved = await update.mutateAsync({ ...changed, expected }).catch(async (error: unknown) => {
        // Opened again, the dialog begins with what somebody else has saved.
        if (errorCode(error) === "revision_conflict")
          await queryClient.invalidateQueries({ queryKey: trpc.consent.words.queryKey() });
        throw error;
      });
      queryClient.setQueryData(trpc.consent.words.queryKey(), saved);
      toast.success("Keywords saved");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Your keywords"
      description="One word or phrase per line, at most 50 of each kind. Case, accents and punctuation are ignored."
      submitLabel="Save"
      onClose={onClose}
    >
      {kinds.map(({ kind, title }) => (
        <TextareaField key={kind} {...form.field(kind)} label={title} rows={3} />
      ))}
    </FormDialog>
  );
}

function RepliesDialog({ replies, onClose }: { replies: WordReplySettings; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const update = useMutation(trpc.consent.updateReplies.mutationOptions());
  const [opened] = useState(replies);
  const form = useOperationForm({
    schema: wordRepliesUpdateSchema,
    defaultValues: {
      stop: { enabled: onOff(replies.stop.enabled), text: replies.stop.text ?? "" },
      start: { enabled: onOff(replies.start.enabled), text: replies.start.text ?? "" },
      help: { enabled: onOff(replies.help.enabled), text: replies.help.text ?? "" },
    },
    input: (typed) => ({
      stop: { enabled: typed.stop.enabled === "on", text: typed.stop.text.trim() || null },
      start: { enabled: typed.start.enabled === "on", text: typed.start.text.trim() || null },
      help: { enabled: typed.help.enabled === "on", text: typed.help.text.trim() || null },
    }),
    send: async (input) => {
      const saved = await update.mutateAsync(changedFields(opened, input));
      queryClient.setQueryData(trpc.consent.replies.queryKey(), saved);
      toast.success("Replies saved");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Automatic replies"
      description="Leave a text empty for the default, which is available in 12 languages. Yours is sent to everyone unchanged. At most two SMS segments, no advertising and no links. {organisation}, {support}, {stopped}, {kept} and {started} are replaced."
      submitLabel="Save"
      onClose={onClose}
    >
      {answers.map(({ kind, title }) => (
        <div key={kind} className="grid gap-3">
          <SelectField {...form.field(`${kind}.enabled`)} label={title} options={onOrOff} />
          <TextareaField {...form.field(`${kind}.text`)} label="Your text" optional rows={2} />
        </div>
      ))}
    </FormDialog>
  );
}
