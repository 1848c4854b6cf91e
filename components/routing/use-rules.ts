"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import type { Rule, RuleInput } from "../../server/routing/schemas.ts";
import { wholePercent } from "../../server/routing/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { ruleName } from "./rule-words.ts";

/** The environment's rules as they are now. */
export function useRules() {
  const { environment } = usePortal();
  return useQuery(useTRPC().routing.rules.queryOptions({ environmentId: environment.id }));
}

/** A stored rule as it is written; weights of old rules become percent. */
export function inputOf(rule: Rule): RuleInput {
  const { name, enabled, region, application, channel, notificationType, notificationSubtype, priority } =
    rule;
  return {
    name,
    enabled,
    region,
    application,
    channel,
    notificationType,
    notificationSubtype,
    priority,
    tiers: rule.tiers.map((tier) => {
      const whole = tier.reduce((sum, member) => sum + member.weight, 0) === 100;
      const shares = whole
        ? tier.map(({ weight }) => weight)
        : wholePercent(tier.map(({ weight }) => weight));
      return tier.map(({ connectionId }, index) => ({ connectionId, weight: shares[index] ?? 1 }));
    }),
  };
}

/** What can be done to a rule from the list. Each change says what happened, and deleting offers the way back. */
export function useRuleActions(revision: number) {
  const { environment } = usePortal();
  const trpc = useTRPC();
  const changed = useRefresh("routing");
  const at = { environmentId: environment.id, revision };
  const onError = (error: unknown) => {
    toast.error(errorText(error));
    void changed();
  };
  const update = useMutation(trpc.routing.update.mutationOptions({ onError }));
  const remove = useMutation(trpc.routing.delete.mutationOptions({ onError }));
  const reorder = useMutation(trpc.routing.reorder.mutationOptions({ onError, onSuccess: changed }));
  const revert = useMutation(trpc.routing.revert.mutationOptions({ onError, onSuccess: changed }));
  return {
    pending: update.isPending || remove.isPending || reorder.isPending || revert.isPending,
    setEnabled: (rule: Rule, enabled: boolean) =>
      update.mutate(
        { ...at, id: rule.id, ...inputOf(rule), name: ruleName(rule.name), enabled },
        {
          onSuccess: () => {
            toast.success(`“${ruleName(rule.name)}” is ${enabled ? "on" : "off"} within two seconds`);
            void changed();
          },
        },
      ),
    remove: (rule: Rule) =>
      remove.mutate(
        { ...at, id: rule.id },
        {
          onSuccess: (result) => {
            void changed();
            toast.success(`“${ruleName(rule.name)}” deleted`, {
              duration: 12_000,
              action: {
                label: "Undo",
                onClick: () =>
                  revert.mutate(
                    {
                      environmentId: environment.id,
                      number: result.revision - 1,
                      revision: result.revision,
                      note: `Deletion of “${ruleName(rule.name)}” was undone`,
                    },
                    { onSuccess: () => toast.success(`“${ruleName(rule.name)}” is back`) },
                  ),
              },
            });
          },
        },
      ),
    reorder: (order: readonly string[], onSettled: () => void) =>
      reorder.mutate(
        { ...at, order: [...order] },
        { onSettled, onSuccess: () => toast.success("Order saved. Takes effect within two seconds") },
      ),
  };
}

export type RuleActions = ReturnType<typeof useRuleActions>;
