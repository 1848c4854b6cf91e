"use client";

import { permissions } from "../../server/access/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { SettingsHeader } from "../settings/settings-frame.tsx";
import { DomainsSection } from "./domains-section.tsx";
import { GroupsSection } from "./groups-section.tsx";
import { TokensSection } from "./tokens-section.tsx";

/** How the organisation's directory is connected: its domains, its tokens, and what its groups give. */
export function DirectoryPage() {
  const { canIn } = usePortal();
  const mayConnect = permissions.every((permission) => canIn(permission, null));
  return (
    <>
      <SettingsHeader path="/directory">
        {mayConnect
          ? "Connect it in three steps: verify your domain, create a token for your directory, and map groups to roles."
          : "Only owners can verify domains and create tokens."}
      </SettingsHeader>
      <div className="grid grid-cols-1 gap-4">
        <DomainsSection mayConnect={mayConnect} />
        <TokensSection mayConnect={mayConnect} />
        <GroupsSection />
      </div>
    </>
  );
}
