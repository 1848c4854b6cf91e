import type { Metadata } from "next";
import { NewConnectionPage } from "../../../../../components/providers/new-connection-page.tsx";

export const metadata: Metadata = { title: "New connection" };

export default function Page() {
  return <NewConnectionPage />;
}
