"use client";

import { useQuery } from "@tanstack/react-query";
import { Bookmark, Check } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import type { SavedView } from "../../server/reports/schemas.ts";
import type { ViewPage } from "../../server/reports/vocabulary.ts";
import { reportPages } from "../../server/reports/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";

const ScheduleDialog = dynamic(() =>
  import("../reports-by-mail/schedule-dialog.tsx").then((module) => module.ScheduleDialog),
);
const ManageViewsDialog = dynamic(() =>
  import("./manage-views-dialog.tsx").then((module) => module.ManageViewsDialog),
);
const ViewDialog = dynamic(() => import("./view-dialog.tsx").then((module) => module.ViewDialog));

/** An address without its order, and without a place in a list and an open row. */
const comparable = (query: string) =>
  [...new URLSearchParams(query)]
    .filter(([name]) => name !== "cursor" && name !== "open")
    .map((pair) => pair.join("="))
    .sort()
    .join("&");

type Asked =
  | { kind: "save" }
  | { kind: "manage" }
  | { kind: "change"; view: SavedView }
  | { kind: "mail"; view: SavedView };

/** The views that somebody has of a page, whose whole state is in its address. */
export function SavedViewsMenu({ page }: { page: ViewPage }) {
  const trpc = useTRPC();
  const router = useRouter();
  const pathname = usePathname();
  const now = useSearchParams().toString();
  const [asked, setAsked] = useState<Asked | null>(null);
  const query = useQuery(trpc.reports.views.queryOptions({ page }));
  const views = query.data?.data ?? [];
  const mayShare = query.data?.mayShare ?? false;
  const current = views.find((view) => comparable(view.query) === comparable(now));
  const mailable = reportPages.some((each) => each === page);
  const close = () => setAsked(null);
  const section = (label: string, of: readonly SavedView[]) =>
    of.length === 0 ? null : (
      <>
        <DropdownMenuLabel>{label}</DropdownMenuLabel>
        {of.map((view) => (
          <DropdownMenuItem key={view.id} onSelect={() => router.push(`${pathname}?${view.query}`)}>
            <span className="min-w-0 flex-1 truncate">{view.name}</span>
            {view === current ? <Check aria-label="shown now" /> : null}
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
      </>
    );
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button aria-label={current ? `Views: ${current.name}` : "Views"}>
            <Bookmark aria-hidden />
            <span className="max-w-40 truncate">{current?.name ?? "Views"}</span>
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end" className="max-h-96 w-64 overflow-y-auto">
          {query.isError && !query.data ? (
            <>
              <DropdownMenuLabel>{errorText(query.error)}</DropdownMenuLabel>
              <DropdownMenuItem onSelect={() => void query.refetch()}>Try again</DropdownMenuItem>
              <DropdownMenuSeparator />
            </>
          ) : null}
          {section(
            "Yours",
            views.filter(({ shared }) => !shared),
          )}
          {section(
            "Shared with everyone",
            views.filter(({ shared }) => shared),
          )}
          <DropdownMenuItem onSelect={() => setAsked({ kind: "save" })}>Save this view…</DropdownMenuItem>
          {current && mailable ? (
            <DropdownMenuItem onSelect={() => setAsked({ kind: "mail", view: current })}>
              E-mail this view…
            </DropdownMenuItem>
          ) : null}
          {views.length > 0 ? (
            <DropdownMenuItem onSelect={() => setAsked({ kind: "manage" })}>Manage views…</DropdownMenuItem>
          ) : null}
        </DropdownMenuContent>
      </DropdownMenu>
      {asked?.kind === "save" ? (
        <ViewDialog page={page} query={now} mayShare={mayShare} onClose={close} />
      ) : null}
      {asked?.kind === "change" ? (
        <ViewDialog page={page} query={now} mayShare={mayShare} view={asked.view} onClose={close} />
      ) : null}
      {asked?.kind === "mail" ? <ScheduleDialog view={asked.view} onClose={close} /> : null}
      {asked?.kind === "manage" ? (
        <ManageViewsDialog
          views={views}
          mailable={mailable}
          onChange={(view) => setAsked({ kind: "change", view })}
          onMail={(view) => setAsked({ kind: "mail", view })}
          onClose={close}
        />
      ) : null}
    </>
  );
}
