import type { Metadata } from "next";
import { BudgetsPage } from "../../../../../components/costs/budgets-page.tsx";

export const metadata: Metadata = { title: "Budgets" };

export default function Page() {
  return <BudgetsPage />;
}
