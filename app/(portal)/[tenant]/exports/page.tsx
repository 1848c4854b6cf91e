import type { Metadata } from "next";
import { ExportsPage } from "../../../../components/exports/exports-page.tsx";

export const metadata: Metadata = { title: "Exports" };

export default function Page() {
  return <ExportsPage />;
}
