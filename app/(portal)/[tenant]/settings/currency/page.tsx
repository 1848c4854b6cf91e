import type { Metadata } from "next";
import { CurrencyPage } from "../../../../../components/settings/currency-page.tsx";

export const metadata: Metadata = { title: "Currency" };

export default function Page() {
  return <CurrencyPage />;
}
