import type { Metadata } from "next";
import { OrganisationPage } from "../../../../../components/settings/organisation-page.tsx";

export const metadata: Metadata = { title: "Organisation" };

export default function Page() {
  return <OrganisationPage />;
}
