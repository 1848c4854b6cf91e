"use client";

import { Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useRemembered } from "../../data-table/use-remembered.ts";
import { Segmented } from "../../ui/segmented.tsx";

export type FrameTheme = "light" | "dark";

/** How phones are drawn: as chosen on this device, or else like the portal. */
export function useFrameTheme(): [FrameTheme, (theme: FrameTheme) => void] {
  const { resolvedTheme } = useTheme();
  const [chosen, choose] = useRemembered<FrameTheme | null>("phone-theme", null);
  return [chosen ?? (resolvedTheme === "dark" ? "dark" : "light"), choose];
}

export function FrameThemeSwitch({
  value,
  onChange,
}: {
  value: FrameTheme;
  onChange: (theme: FrameTheme) => void;
}) {
  return (
    <Segmented
      label="Phone's appearance"
      value={value}
      onValueChange={onChange}
      options={[
        { value: "light", label: <Sun aria-hidden />, title: "Light" },
        { value: "dark", label: <Moon aria-hidden />, title: "Dark" },
      ]}
    />
  );
}
