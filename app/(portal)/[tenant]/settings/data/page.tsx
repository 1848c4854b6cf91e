import type { Metadata } from "next";
import { DataPage } from "../../../../../components/settings/data-page.tsx";

export const metadata: Metadata = { title: "Data and regions" };

export default function Page() {
  return <DataPage />;
}
