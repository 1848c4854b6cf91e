import type { Metadata } from "next";
import { NewBroadcastPage } from "../../../../../components/broadcasts/new-broadcast-page.tsx";

export const metadata: Metadata = { title: "New broadcast" };

export default function Page() {
  return <NewBroadcastPage />;
}
