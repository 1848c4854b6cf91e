import type { Metadata } from "next";
import { DeliveryPage } from "../../../../components/delivery/delivery-page.tsx";

export const metadata: Metadata = { title: "Delivery" };

export default function Page() {
  return <DeliveryPage />;
}
