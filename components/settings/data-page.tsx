"use client";

import Link from "next/link";
import { usePortal } from "../portal/portal-context.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { ResidencySection } from "./residency-section.tsx";
import { SettingsHeader } from "./settings-frame.tsx";

/** Where data is processed, and how long it is kept. */
export function DataPage() {
  const { href } = usePortal();
  return (
    <>
      <SettingsHeader path="/data">
        Your own region was chosen when the organisation was set up, and stays.
      </SettingsHeader>
      <div className="grid grid-cols-1 gap-4">
        <ResidencySection />
        <Card>
          <CardHeader
            title="How long data is kept"
            description="Nothing but the following is deleted by its age yet: messages, addresses and the audit trail stay."
          />
          <div className="px-4 pb-4">
            <Facts
              items={[
                {
                  label: "One-time codes",
                  value: "What a code was made from is redacted when its message has ended.",
                },
                {
                  label: "Short links",
                  value: (
                    <>
                      Each lasts as long as{" "}
                      <Link
                        href={href("/settings/short-links")}
                        className="text-accent-text underline-offset-4 hover:underline"
                      >
                        the shortener of its environment
                      </Link>{" "}
                      says.
                    </>
                  ),
                },
                {
                  label: "Repeated requests",
                  value: "An Idempotency-Key is known for 24 hours, then forgotten.",
                },
              ]}
            />
          </div>
        </Card>
      </div>
    </>
  );
}
