import type { Metadata } from "next";
import { OrganisationsPage } from "../../../../components/console/organisations-page.tsx";

export const metadata: Metadata = { title: "Organisations" };

export default function Page() {
  return <OrganisationsPage />;
}
