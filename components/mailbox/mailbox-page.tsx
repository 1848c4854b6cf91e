"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, MailOpen } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { RenderedMessage } from "../messages/rendered-message.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { InboxFrame, InboxItem } from "../ui/inbox-frame.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../ui/tabs.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";

export function MailboxPage() {
  const trpc = useTRPC();
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
  const query = useQuery(trpc.mailbox.list.queryOptions(undefined, { refetchInterval: 2500 }));
  const mails = query.data;

  function move(step: 1 | -1) {
    if (!mails) return;
    const index = mails.findIndex((mail) => mail.id === open);
    const next = mails[index === -1 ? 0 : index + step];
    if (next) void setOpen(next.id);
  }
  useShortcut("j", () => move(1), { label: "Next e-mail" });
  useShortcut("k", () => move(-1), { label: "Previous e-mail" });

  return (
    <PageFrame wide>
      <PageHeader
        title="Mailbox"
        description="E-mails sent through SMTP to the mail server that comes with this installation."
        environmentScoped={false}
      />
      {query.isError && !mails ? (
        <QueryFailed what="the mailbox" query={query} />
      ) : mails?.length === 0 ? (
        <div className="rounded-lg border border-line bg-surface">
          <NothingYet icon={MailOpen} title="No e-mails yet">
            Send an e-mail from the portal or with the example request. It arrives within seconds.
          </NothingYet>
        </div>
      ) : (
        <InboxFrame
          label="E-mails"
          open={open !== null}
          list={
            mails
              ? mails.map((mail) => (
                  <InboxItem
                    key={mail.id}
                    active={mail.id === open}
                    onSelect={() => void setOpen(mail.id)}
                    title={mail.subject || "(no subject)"}
                    time={mail.date ? <RelativeTime value={mail.date} /> : null}
                    line={`To ${mail.to.join(", ")}`}
                  />
                ))
              : Array.from({ length: 6 }, (_, index) => (
                  <div key={index} className="grid gap-2 border-b border-line px-4 py-3.5">
                    <Skeleton className="w-3/5" />
                    <Skeleton className="w-2/5" />
                  </div>
                ))
          }
          reading={
            open ? (
              <Reading key={open} id={open} onBack={() => void setOpen(null)} />
            ) : (
              <p className="grid h-full place-items-center px-6 text-sm text-ink-muted">
                Select an e-mail to read it.
              </p>
            )
          }
        />
      )}
    </PageFrame>
  );
}

function Reading({ id, onBack }: { id: string; onBack: () => void }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.mailbox.read.queryOptions({ id }, { staleTime: Infinity }));
  const mail = query.data;
  if (query.isError && !mail) {
    return <QueryFailed what="this e-mail" query={query} />;
  }
  return (
    <article className="px-4 py-4 sm:px-6">
      <Button variant="ghost" size="sm" className="mb-2 -ml-2 lg:hidden" onClick={onBack}>
        <ChevronLeft aria-hidden /> All e-mails
      </Button>
      {mail ? (
        <>
          <p className="mb-3 text-xs text-ink-muted">
            To {mail.to.join(", ")}
            {mail.date ? (
              <>
                , <AbsoluteTime value={mail.date} />
              </>
            ) : null}
          </p>
          <Tabs defaultValue={mail.html ? "html" : "text"}>
            <TabsList>
              {mail.html ? <TabsTrigger value="html">Preview</TabsTrigger> : null}
              {mail.text ? <TabsTrigger value="text">Plain text</TabsTrigger> : null}
              <TabsTrigger value="headers">Headers</TabsTrigger>
            </TabsList>
            {mail.html ? (
              <TabsContent value="html">
                <RenderedMessage
                  message={{ channel: "email", from: mail.from, subject: mail.subject, html: mail.html }}
                />
              </TabsContent>
            ) : null}
            {mail.text ? (
              <TabsContent value="text">
                <RenderedMessage
                  message={{ channel: "email", from: mail.from, subject: mail.subject, text: mail.text }}
                />
              </TabsContent>
            ) : null}
            <TabsContent value="headers">
              <CodeBlock
                label="Headers"
                code={mail.headers.map((header) => `${header.name}: ${header.value}`).join("\n")}
              />
            </TabsContent>
          </Tabs>
        </>
      ) : (
        <div className="grid gap-3 pt-2">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/3" />
          <Skeleton className="h-64 w-full" />
        </div>
      )}
    </article>
  );
}
