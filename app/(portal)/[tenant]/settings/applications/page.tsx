import type { Metadata } from "next";
import { ApplicationsPage } from "../../../../../components/settings/applications-page.tsx";

export const metadata: Metadata = { title: "Applications" };

export default function Page() {
  return <ApplicationsPage />;
}
