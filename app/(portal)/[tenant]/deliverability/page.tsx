import type { Metadata } from "next";
import { DeliverabilityPage } from "../../../../components/deliverability/deliverability-page.tsx";

export const metadata: Metadata = { title: "Deliverability" };

export default function Page() {
  return <DeliverabilityPage />;
}
