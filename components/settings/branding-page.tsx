"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card } from "../ui/card.tsx";
import { BrandingForm, typedOf, type TypedBranding } from "./branding-form.tsx";
import { BrandingPreview } from "./branding-preview.tsx";
import { LogoCard } from "./logo-card.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { SettingsSkeleton } from "./settings-skeleton.tsx";

/** How the organisation looks to its own people. */
export function BrandingPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.branding.get.queryOptions());
  const [typed, setTyped] = useState<Partial<TypedBranding>>({});
  if (query.isPending) return <SettingsSkeleton />;
  const saved = query.data;
  return (
    <>
      <SettingsHeader path="/branding" />
      {!saved ? (
        <Card>
          <QueryFailed what="the branding" query={query} />
        </Card>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <LogoCard logo={saved.logo} />
          <BrandingForm saved={saved} typed={typed} onType={setTyped} />
          <BrandingPreview logo={saved.logo} chosen={{ ...typedOf(saved), ...typed }} />
        </div>
      )}
    </>
  );
}
