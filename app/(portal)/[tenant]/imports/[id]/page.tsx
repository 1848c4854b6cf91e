import type { Metadata } from "next";
import { ImportPage } from "../../../../../components/imports/import-page.tsx";

export const metadata: Metadata = { title: "Import" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <ImportPage id={(await params).id} />;
}
