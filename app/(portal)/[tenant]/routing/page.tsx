import type { Metadata } from "next";
import { RoutingPage } from "../../../../components/routing/routing-page.tsx";

export const metadata: Metadata = { title: "Routing" };

export default function Page() {
  return <RoutingPage />;
}
