"use client";

import { Plus } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../ui/tabs.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { MatrixTab } from "./matrix-tab.tsx";
import { RulesTab } from "./rules-tab.tsx";
import { UnroutableTab } from "./unroutable-tab.tsx";

const tabs = ["rules", "matrix", "unroutable", "history"] as const;
const labels: Record<(typeof tabs)[number], string> = {
  rules: "Rules",
  matrix: "Matrix",
  unroutable: "Unroutable",
  history: "History",
};

/** Which connection carries which message: the rules, what follows from them, and how they came to be. */
export function RoutingPage() {
  const { environment, href, can } = usePortal();
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(tabs).withDefault("rules").withOptions({ history: "push" }),
  );
  return (
    <PageFrame wide>
      <PageHeader
        title="Routing"
        documentTitle={tab === "rules" ? "Routing" : `${labels[tab]} · Routing`}
        description={`Which connection sends which messages in ${environment.name}.`}
        actions={
          can("routing:manage") ? (
            <Button asChild variant="primary">
              <Link href={href("/routing/rules/new")}>
                <Plus aria-hidden /> New rule
              </Link>
            </Button>
          ) : null
        }
      />
      <Tabs value={tab} onValueChange={(next) => void setTab(next as (typeof tabs)[number])}>
        <TabsList aria-label="Routing">
          {tabs.map((each) => (
            <TabsTrigger key={each} value={each}>
              {labels[each]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="rules">
          <RulesTab key={environment.id} />
        </TabsContent>
        <TabsContent value="matrix">
          <MatrixTab />
        </TabsContent>
        <TabsContent value="unroutable">
          <UnroutableTab />
        </TabsContent>
        <TabsContent value="history">
          <HistoryTab key={environment.id} />
        </TabsContent>
      </Tabs>
    </PageFrame>
  );
}
