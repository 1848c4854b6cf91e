import type { Metadata } from "next";
import { ConnectionPage } from "../../../../../components/providers/connection-page.tsx";

export const metadata: Metadata = { title: "Connection" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <ConnectionPage key={id} id={id} />;
}
