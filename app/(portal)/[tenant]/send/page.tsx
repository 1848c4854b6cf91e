import type { Metadata } from "next";
import { SendPage } from "../../../../components/send/send-page.tsx";

export const metadata: Metadata = { title: "Send" };

export default function Page() {
  return <SendPage />;
}
