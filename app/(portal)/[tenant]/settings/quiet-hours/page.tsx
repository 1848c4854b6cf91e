import type { Metadata } from "next";
import { RecipientLimitsPage } from "../../../../../components/recipient-limits/recipient-limits-page.tsx";

export const metadata: Metadata = { title: "Quiet hours and caps" };

export default function Page() {
  return <RecipientLimitsPage />;
}
