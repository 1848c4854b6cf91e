import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { hasConsole } from "../../server/trpc/console-context.ts";

export const metadata: Metadata = {
  title: { default: "Console", template: "%s · Console" },
  referrer: "no-referrer",
};

/** There only where whoever runs the installation has given the console a database login. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  await connection();
  if (!hasConsole()) notFound();
  return children;
}
