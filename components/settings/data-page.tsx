"use client";

import { usePortal } from "../portal/portal-context.tsx";
import { Link } from "../ui/link.tsx";
import { ResidencySection } from "./residency-section.tsx";
import { SettingsHeader } from "./settings-frame.tsx";

/** Where data is processed. */
export function DataPage() {
  const { href } = usePortal();
  return (
    <>
      <SettingsHeader path="/data">
        Your own region was set when the organisation was created and can't be changed.
      </SettingsHeader>
      <div className="grid grid-cols-1 gap-4">
        <ResidencySection />
        <p className="text-sm text-ink-muted">
          Set how long data is kept under{" "}
          <Link href={href("/settings/retention")} className="text-accent-text underline underline-offset-4">
            Retention
          </Link>
          .
        </p>
      </div>
    </>
  );
}
