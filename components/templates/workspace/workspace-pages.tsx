"use client";

import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useState, type ComponentProps, type ReactNode } from "react";
import type { Template } from "../../../server/templates/schemas.ts";
import { PageFrame } from "../../layout/page-frame.tsx";
import { PageHeader } from "../../layout/page-header.tsx";
import { ChannelIcon, channelLabel } from "../../messages/channel.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { QueryFailed } from "../../trpc/query-failed.tsx";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { audienceText } from "../audience.ts";
import { emptyDraft, type Draft } from "../draft.ts";
import { copyInto, newDraft } from "./new-draft.ts";
import { useFoundDraft } from "./use-draft.ts";
import { Workspace } from "./workspace.tsx";

/** What a link may say about the template to be made, so that a gap in a list can be filled in one step. */
const wishes = {
  application: parseAsString,
  name: parseAsString,
  channel: parseAsString,
  type: parseAsString,
  subtype: parseAsString,
  region: parseAsString,
  language: parseAsString,
  provider: parseAsString,
  /** Id of a template whose text it starts from. */
  from: parseAsString,
};

export function NewTemplatePage() {
  const { applications, canIn, href } = usePortal();
  const [wish] = useQueryStates(wishes);
  const writable = applications.filter((each) => canIn("templates:write", each.unitId));
  const trpc = useTRPC();
  const source = useQuery(
    trpc.templates.get.queryOptions(
      { id: wish.from ?? "" },
      { enabled: wish.from !== null, staleTime: Infinity, refetchOnWindowFocus: false, retry: false },
    ),
  );
  const application =
    writable.find((each) => each.name === wish.application)?.name ?? writable[0]?.name ?? "";
  const empty = newDraft(application, wish, source.data);
  // A text that cannot be had is no reason not to write one.
  const ready = wish.from === null || source.isSuccess || source.isError;
  return (
    <Frame>
      <PageHeader
        title="New template"
        description={source.data ? `Starts from ${source.data.name}, ${textOf(source.data)}` : undefined}
        back={{ href: href("/templates"), label: "Templates" }}
        environmentScoped={false}
      />
      {ready ? <NewWorkspace empty={empty} source={source.data} /> : <WorkspaceSkeleton />}
    </Frame>
  );
}

const textOf = (template: Template) => `${channelLabel(template.channel)} for ${audienceText(template)}`;

function NewWorkspace({ empty, source }: { empty: Draft; source: Template | undefined }) {
  // What the link asked for when the page opened; what is written since is not touched by it.
  const [fresh] = useState(empty);
  const [copied] = useState(() => source && copyInto(empty, source));
  return <DrawnWorkspace fresh={fresh} copied={copied} copiedFrom={source?.id} />;
}

/**
 * The workspace, drawn on the server for a wide window and begun anew in the browser when this device kept a draft. The server cannot
 * know how wide the window is; a narrower one shows the skeleton until the browser has arranged it.
 */
function DrawnWorkspace(props: Omit<ComponentProps<typeof Workspace>, "found">) {
  const hydrated = useHydrated();
  const found = useFoundDraft(props.template?.id, props.copiedFrom);
  return (
    <>
      <div
        className={hydrated ? "contents" : "hidden [@media(min-width:80rem)_and_(min-height:36rem)]:contents"}
      >
        <Workspace key={found ? "kept" : "saved"} found={found} {...props} />
      </div>
      {hydrated ? null : (
        <div className="contents [@media(min-width:80rem)_and_(min-height:36rem)]:hidden">
          <WorkspaceSkeleton />
        </div>
      )}
    </>
  );
}

export function EditTemplatePage({ id }: { id: string }) {
  const { applications, href } = usePortal();
  const trpc = useTRPC();
  // Not refetched at each look away: what somebody else saves is said when this draft is saved.
  const query = useQuery(
    trpc.templates.get.queryOptions({ id }, { staleTime: Infinity, refetchOnWindowFocus: false }),
  );
  const template = query.data;
  const application = applications.find((each) => each.name === template?.application);
  return (
    <Frame>
      <PageHeader
        title={
          template ? (
            <span className="flex min-w-0 items-center gap-2.5">
              <ChannelIcon channel={template.channel} className="size-5" />
              <span className="min-w-0 break-words">Edit {template.name}</span>
            </span>
          ) : (
            "Edit template"
          )
        }
        documentTitle={template ? `Edit ${template.name}` : "Edit template"}
        description={
          template
            ? `${channelLabel(template.channel)} of ${application?.title ?? template.application} for ${audienceText(template)}; version ${template.latestVersion} is the latest`
            : undefined
        }
        back={{ href: href(`/templates/${id}`), label: template?.name ?? "Template" }}
        environmentScoped={false}
        actions={
          template ? (
            <Button asChild variant="ghost" className="hidden sm:inline-flex">
              <Link href={href(`/templates/${id}`)}>
                <ExternalLink aria-hidden /> Open template
              </Link>
            </Button>
          ) : null
        }
      />
      {query.isError && !template ? (
        <QueryFailed what="this template" query={query} />
      ) : template ? (
        <DrawnWorkspace template={template} fresh={emptyDraft("", "")} />
      ) : (
        <WorkspaceSkeleton />
      )}
    </Frame>
  );
}

/** As high as the window where columns stand side by side, so that the page itself never scrolls. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <PageFrame className="flex max-w-none flex-col lg:px-5 lg:pt-5 lg:pb-4 [@media(min-width:64rem)_and_(min-height:36rem)]:h-dvh [@media(min-width:64rem)_and_(min-height:36rem)]:overflow-hidden">
      {children}
    </PageFrame>
  );
}

function WorkspaceSkeleton() {
  return (
    <div className="flex min-h-96 flex-1 gap-4" aria-busy>
      <div className="hidden w-72 shrink-0 xl:grid xl:content-start xl:gap-3">
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
      <Skeleton className="h-full min-h-96 min-w-0 flex-1" />
      <Skeleton className="hidden h-full w-92 shrink-0 lg:block" />
    </div>
  );
}
