import type { Metadata } from "next";
import { BroadcastPage } from "../../../../../components/broadcasts/broadcast-page.tsx";

export const metadata: Metadata = { title: "Broadcast" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <BroadcastPage id={id} />;
}
