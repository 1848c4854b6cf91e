"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ownWordsSchema, type OwnWordLists } from "../../server/consent/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextareaField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { SettingsHeader } from "./settings-frame.tsx";
import { SettingsSkeleton } from "./settings-skeleton.tsx";

const kinds = [
  {
    kind: "stop",
    title: "Stop",
    usual: "STOP, UNSUBSCRIBE, CANCEL, END, QUIT, OPT OUT …",
    says: "Opts the recipient out of the class of message they answer, and of marketing.",
  },
  {
    kind: "start",
    title: "Start",
    usual: "START, UNSTOP, SUBSCRIBE …",
    says: "Opts the recipient in again to the class of message they answer.",
  },
  {
    kind: "help",
    title: "Help",
    usual: "HELP, INFO …",
    says: "Is marked in the conversation. It changes no consent.",
  },
] as const;

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The words by which recipients say stop, start and help: the usual ones, and the organisation's own. */
export function RecipientWordsPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.consent.words.queryOptions());
  const [changing, setChanging] = useState(false);
  if (query.isPending) return <SettingsSkeleton />;
  const words = query.data;
  return (
    <>
      <SettingsHeader
        path="/recipient-words"
        actions={words ? <Button onClick={() => setChanging(true)}>Change your words</Button> : null}
      />
      {words ? (
        <Card>
          <CardHeader
            title="What recipients may write"
            description="The usual words are understood in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish, Swedish, Arabic and Hindi, in SMS and WhatsApp, with or without politeness. Yours count when they are the whole message."
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
                    <p className="text-ink-muted">None of your own.</p>
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
        <QueryFailed what="the words" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {words && changing ? <WordsDialog words={words} onClose={() => setChanging(false)} /> : null}
    </>
  );
}

function WordsDialog({ words, onClose }: { words: OwnWordLists; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const update = useMutation(trpc.consent.updateWords.mutationOptions());
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
      const saved = await update.mutateAsync(input);
      queryClient.setQueryData(trpc.consent.words.queryKey(), saved);
      toast.success("Words saved");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Your own words"
      description="One word or phrase a line, at most 50 of each kind. Capitals, accents and punctuation do not matter."
      submitLabel="Save"
      onClose={onClose}
    >
      {kinds.map(({ kind, title }) => (
        <TextareaField key={kind} {...form.field(kind)} label={title} rows={3} />
      ))}
    </FormDialog>
  );
}
