"use client";

import type { Dependent, DependentKind } from "../../server/tenancy/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";

/** What each kind is called, one and several, and where it is found. */
const faces: Record<DependentKind, { one: string; several: string; path: string }> = {
  applications: { one: "application", several: "applications", path: "/settings/applications" },
  connections: { one: "provider connection", several: "provider connections", path: "/providers" },
  senders: { one: "sender", several: "senders", path: "/providers" },
  members: { one: "member", several: "members", path: "/members" },
  groups: { one: "group or sign-in rule", several: "groups or sign-in rules", path: "/settings/directory" },
  apiKeys: { one: "API key", several: "API keys", path: "/api-keys" },
  pipelines: { one: "pipeline", several: "pipelines", path: "/pipeline/settings" },
  rules: { one: "routing rule", several: "routing rules", path: "/routing" },
  templates: { one: "template", several: "templates", path: "/templates" },
  webhooks: { one: "webhook", several: "webhooks", path: "/webhooks" },
  messages: { one: "message", several: "messages", path: "/messages" },
};

/** What hangs on something, each with the way there. `environment`: its short name, where it is one. */
export function DependentList({
  dependents,
  environment,
}: {
  dependents: readonly Dependent[];
  environment?: string | undefined;
}) {
  const { href } = usePortal();
  return (
    <ul className="mt-2 list-disc pl-5">
      {dependents.map(({ kind, count }) => (
        <li key={kind}>
          <Link
            href={href(faces[kind].path, environment === undefined ? {} : { env: environment })}
            className="text-accent-text underline-offset-4 hover:underline"
          >
            {plural(count, faces[kind].one, faces[kind].several)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
