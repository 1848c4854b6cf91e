import type { Metadata } from "next";
import { DuplicatesPage } from "../../../../../components/contacts/duplicates-page.tsx";

export const metadata: Metadata = { title: "Possible duplicates" };

export default function Page() {
  return <DuplicatesPage />;
}
