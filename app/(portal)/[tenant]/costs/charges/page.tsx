import type { Metadata } from "next";
import { ChargesPage } from "../../../../../components/costs/charges-page.tsx";

export const metadata: Metadata = { title: "Charges" };

export default function Page() {
  return <ChargesPage />;
}
