"use client";

import { SettingsHeader } from "./settings-frame.tsx";
import { ShortLinksSection } from "./short-links-section.tsx";

/** Who shortens addresses. */
export function ShortLinksPage() {
  return (
    <>
      <SettingsHeader path="/short-links" />
      <ShortLinksSection />
    </>
  );
}
