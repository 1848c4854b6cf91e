import type { Metadata } from "next";
import { OrganisationPage } from "../../../../../components/console/organisation-page.tsx";

export const metadata: Metadata = { title: "Organisation" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <OrganisationPage id={id} />;
}
