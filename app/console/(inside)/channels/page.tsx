import type { Metadata } from "next";
import { ChannelsPage } from "../../../../components/console/channels-page.tsx";

export const metadata: Metadata = { title: "Channels" };

export default function Page() {
  return <ChannelsPage />;
}
