import type { Metadata } from "next";
import { BroadcastsPage } from "../../../../components/broadcasts/broadcasts-page.tsx";

export const metadata: Metadata = { title: "Broadcasts" };

export default function Page() {
  return <BroadcastsPage />;
}
