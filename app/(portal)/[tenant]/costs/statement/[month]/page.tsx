import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { StatementPage } from "../../../../../../components/costs/statement-page.tsx";

export const metadata: Metadata = { title: "Statement" };

export default async function Page({ params }: { params: Promise<{ month: string }> }) {
  const { month } = await params;
  if (!/^20\d{2}-(0[1-9]|1[0-2])$/.test(month)) notFound();
  return <StatementPage month={month} />;
}
