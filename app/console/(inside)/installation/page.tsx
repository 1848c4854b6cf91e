import type { Metadata } from "next";
import { InstallationPage } from "../../../../components/console/installation-page.tsx";

export const metadata: Metadata = { title: "Installation" };

export default function Page() {
  return <InstallationPage />;
}
