"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { AppWindow, MessageSquareText, MoonStar, Search } from "lucide-react";
import { useTheme } from "next-themes";
import { Dialog as Primitive } from "radix-ui";
import { useEffect, useState } from "react";
import { ChannelIcon } from "../messages/channel.tsx";
import { moreAddresses, searchedText } from "../messages/searched-text.ts";
import { StatusBadge } from "../messages/status-badge.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { matchesStep } from "../shortcuts/match-shortcut.ts";
import { ShortcutKeys } from "../shortcuts/shortcuts.tsx";
import { audienceText } from "../templates/audience.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useGo } from "../ui/leaving.ts";
import { useReturnFocus } from "../ui/return-focus.ts";
import { RelativeTime } from "../ui/time.tsx";
import { EnvironmentSwatch } from "./environment-mark.tsx";
import { visibleNavigation } from "./navigation.ts";
import { paletteScore } from "./palette-filter.ts";

const itemStyle =
  "flex items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-faint";
/** So many characters are searched for: fewer would be found everywhere. */
const fewest = 3;
const groupStyle =
  "px-1.5 pb-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-faint";

/** ⌘K: pages, applications, environments, templates, and messages by id, address, a part of an address or transaction id. */
export function CommandPalette({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const [query, setQuery] = useState("");
  const returnFocus = useReturnFocus(open);
  function change(next: boolean) {
    if (!next) setQuery("");
    onOpenChange(next);
  }
  return (
    <Primitive.Root open={open} onOpenChange={change}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 bg-overlay data-[state=open]:animate-in data-[state=open]:fade-in-0" />
        <Primitive.Content
          {...returnFocus}
          aria-describedby={undefined}
          onKeyDown={(event) => {
            // What opened it closes it.
            if (!matchesStep("mod+k", event)) return;
            event.preventDefault();
            change(false);
          }}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-lg outline-none"
        >
          <Primitive.Title className="sr-only">Search and jump</Primitive.Title>
          <Command label="Search and jump" filter={paletteScore} loop>
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search className="size-4 shrink-0 text-ink-faint" aria-hidden />
              <Command.Input
                value={query}
                onValueChange={setQuery}
                placeholder="Page, template, number, e-mail address or ID…"
                className="h-12 flex-1 bg-transparent text-base outline-none"
              />
            </div>
            <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto py-1">
              <PaletteItems query={query.trim()} close={() => change(false)} />
            </Command.List>
          </Command>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function PaletteItems({ query, close }: { query: string; close: () => void }) {
  const portal = usePortal();
  const goTo = useGo();
  const { resolvedTheme, setTheme } = useTheme();

  function go(address: string) {
    close();
    goTo(address);
  }

  const searchable = query !== "" && portal.can("notifications:read");

  return (
    <>
      {/* With a search for messages there is always one thing to choose. */}
      {searchable ? null : (
        <Command.Empty className="px-4 py-8 text-center text-sm text-ink-muted">Nothing found.</Command.Empty>
      )}
      <Command.Group heading="Pages" className={groupStyle}>
        {visibleNavigation(portal).map((item) => (
          <Command.Item
            key={item.path}
            value={`page ${item.path}`}
            keywords={[item.label, item.keywords ?? ""]}
            className={itemStyle}
            onSelect={() => {
              if (item.external) {
                close();
                window.open(item.path, "_blank", "noreferrer");
              } else go(portal.href(item.path));
            }}
          >
            <item.icon aria-hidden />
            <span className="flex-1">{item.label}</span>
            {item.key ? <ShortcutKeys keys={`g ${item.key}`} /> : null}
          </Command.Item>
        ))}
      </Command.Group>
      {searchable ? (
        <Command.Group heading="Messages" className={groupStyle} forceMount>
          <Command.Item
            value={`find ${query}`}
            forceMount
            className={itemStyle}
            onSelect={() => go(portal.href("/messages", { q: query }))}
          >
            <MessageSquareText aria-hidden />
            <span className="min-w-0 flex-1 truncate">
              All messages with <span className="font-medium">{query}</span>
            </span>
          </Command.Item>
          <FoundMessages query={query} go={go} />
        </Command.Group>
      ) : null}
      {portal.can("templates:read") ? <Templates query={query} go={go} /> : null}
      <Command.Group heading="Applications" className={groupStyle}>
        {portal.applications.map((application) => (
          <Command.Item
            key={application.id}
            value={`application ${application.id}`}
            keywords={[application.title, application.name]}
            className={itemStyle}
            onSelect={() => go(portal.href("/messages", { application: application.name }))}
          >
            <AppWindow aria-hidden />
            <span className="flex-1 truncate">{application.title}</span>
            <span className="text-xs text-ink-faint">its messages</span>
          </Command.Item>
        ))}
      </Command.Group>
      <Command.Group heading="Switch" className={groupStyle}>
        {portal.environments
          .filter((each) => each.id !== portal.environment.id)
          .map((each) => (
            <Command.Item
              key={each.id}
              value={`environment ${each.id}`}
              keywords={[each.name, "go to environment switch"]}
              className={itemStyle}
              onSelect={() => {
                close();
                portal.setEnvironment(each.slug);
              }}
            >
              <EnvironmentSwatch kind={each.kind} className="mx-1" />
              <span className="flex-1">Go to {each.name}</span>
            </Command.Item>
          ))}
        <Command.Item
          value="appearance"
          keywords={["appearance", "use theme dark light mode"]}
          className={itemStyle}
          onSelect={() => {
            close();
            setTheme(resolvedTheme === "dark" ? "light" : "dark");
          }}
        >
          <MoonStar aria-hidden />
          <span className="flex-1">Use {resolvedTheme === "dark" ? "light" : "dark"} appearance</span>
        </Command.Item>
      </Command.Group>
    </>
  );
}

/** What was typed, once the reader pauses. */
function useSettled(query: string): string {
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), 250);
    return () => clearTimeout(timer);
  }, [query]);
  return settled;
}

/** The newest messages of this environment with this id, address, part of an address or transaction id. */
function FoundMessages({ query, go }: { query: string; go: (address: string) => void }) {
  const { environment, href, unit } = usePortal();
  const trpc = useTRPC();
  const settled = useSettled(query);
  const found = useQuery(
    trpc.notifications.list.queryOptions(
      { environmentId: environment.id, unitId: unit?.id, search: settled, limit: 5 },
      { enabled: settled.length >= fewest, placeholderData: keepPreviousData },
    ),
  );
  if (settled.length < fewest) return null;
  if (found.error && !found.data)
    return (
      <p role="alert" className="px-2.5 py-2 text-sm text-ink-muted">
        {errorText(found.error)}
      </p>
    );
  if (found.data === undefined) return null;
  const { data: messages, searched } = found.data;
  if (messages.length === 0) {
    return searched && !found.isPlaceholderData ? (
      <p role="status" className="px-2.5 py-1.5 text-xs text-ink-muted">
        <span className="font-medium text-ink">No message found for {settled}.</span> {searchedText(searched)}
      </p>
    ) : null;
  }
  const items = messages.map((message) => (
    <Command.Item
      key={message.notificationId}
      value={`message ${message.notificationId} ${query}`}
      forceMount
      className={itemStyle}
      onSelect={() => go(href(`/messages/${message.notificationId}`))}
    >
      <ChannelIcon channel={message.channel} />
      <span className="min-w-0 flex-1 truncate">{message.to}</span>
      <RelativeTime value={message.createdAt} className="text-xs text-ink-faint" />
      <StatusBadge status={message.status} final={message.final} simulated={message.simulated} />
    </Command.Item>
  ));
  return (
    <>
      {items}
      {searched?.more ? <p className="px-2.5 py-1 text-xs text-ink-faint">{moreAddresses}</p> : null}
    </>
  );
}

/** Templates by name; one entry for each text, because language and channel differ. */
function Templates({ query, go }: { query: string; go: (address: string) => void }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const settled = useSettled(query);
  const first = useQuery(trpc.templates.list.queryOptions({ limit: 200 }, { staleTime: 60_000 }));
  // Of more than a page, those that have the words are asked for.
  const many = Boolean(first.data?.nextCursor) && settled.length >= fewest && settled.length <= 200;
  const sought = useQuery(
    trpc.templates.list.queryOptions(
      { limit: 200, search: settled },
      { enabled: many, placeholderData: keepPreviousData, staleTime: 60_000 },
    ),
  );
  const templates = new Map(
    [...(first.data?.data ?? []), ...((many ? sought.data?.data : undefined) ?? [])].map(
      (template) => [template.id, template] as const,
    ),
  );
  return (
    <Command.Group heading="Templates" className={groupStyle}>
      {[...templates.values()].map((template) => (
        <Command.Item
          key={template.id}
          value={`template ${template.id}`}
          keywords={[template.name, `template ${template.channel} ${template.language ?? ""}`]}
          className={itemStyle}
          onSelect={() => go(href(`/templates/${template.id}`))}
        >
          <ChannelIcon channel={template.channel} />
          <span className="min-w-0 flex-1 truncate">{template.name}</span>
          <span className="text-xs text-ink-faint">{audienceText(template)}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
