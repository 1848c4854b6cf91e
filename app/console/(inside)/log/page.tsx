import type { Metadata } from "next";
import { LogPage } from "../../../../components/console/log-page.tsx";

export const metadata: Metadata = { title: "Log" };

export default function Page() {
  return <LogPage />;
}
