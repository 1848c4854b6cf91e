import type { Metadata } from "next";
import { ObjectivesPage } from "../../../../components/objectives/objectives-page.tsx";

export const metadata: Metadata = { title: "Objectives" };

export default function Page() {
  return <ObjectivesPage />;
}
