import type { Metadata } from "next";
import { RecipientsPage } from "../../../../../components/settings/recipients-page.tsx";

export const metadata: Metadata = { title: "Recipients' data" };

export default function Page() {
  return <RecipientsPage />;
}
