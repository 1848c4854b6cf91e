"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Coins, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { ownCurrencySchema, rateSchema } from "../../server/costs/schemas.ts";
import type { CurrencyState, Rate } from "../../server/costs/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { formatNumber } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { SettingsHeader } from "./settings-frame.tsx";
import { SettingsSkeleton } from "./settings-skeleton.tsx";
import { dateFormat } from "../ui/intl.ts";

const names = new Intl.DisplayNames("en", { type: "currency" });
const currencyOptions = Intl.supportedValuesOf("currency").map((code) => ({
  value: code,
  label: `${code} – ${names.of(code) ?? code}`,
}));

/** The currency in which the organisation reads its costs, and its rates for others. */
export function CurrencyPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.costs.currency.queryOptions());
  const [open, setOpen] = useState<"currency" | "rate" | null>(null);
  const state = query.data;
  if (query.isPending) return <SettingsSkeleton />;
  return (
    <>
      <SettingsHeader path="/currency" />
      {!state ? (
        <QueryFailed what="the currency" query={query} />
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <Card>
            <CardHeader
              title="Your currency"
              description="Costs are kept in the currency they were charged in. With a rate, they are also shown in your currency, at the rate of the day."
              actions={
                <Button size="sm" onClick={() => setOpen("currency")}>
                  {state.currency === null ? "Choose" : "Change"}
                </Button>
              }
            />
            <p className="px-4 pb-4 text-sm">
              {state.currency === null ? (
                <span className="text-ink-muted">Not set. Costs are shown as charged.</span>
              ) : (
                currencyName(state.currency)
              )}
            </p>
          </Card>
          {state.currency === null ? null : (
            <Rates currency={state.currency} rates={state.rates} onAdd={() => setOpen("rate")} />
          )}
          {open === "currency" ? <CurrencyDialog state={state} onClose={() => setOpen(null)} /> : null}
          {open === "rate" && state.currency !== null ? (
            <RateDialog own={state.currency} onClose={() => setOpen(null)} />
          ) : null}
        </div>
      )}
    </>
  );
}

/** A day as the rates have it: UTC, wherever the reader is. */
const formatDay = (day: string) => dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));

const currencyName = (code: string) => `${names.of(code) ?? code} (${code})`;

/** What is saved here changes every figure of costs. */
function useSavedState() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useRefresh("costs", "budgets", "insights");
  return (saved: CurrencyState) => {
    queryClient.setQueryData(trpc.costs.currency.queryKey(), saved);
    void refresh();
  };
}

function Rates({ currency, rates, onAdd }: { currency: string; rates: readonly Rate[]; onAdd: () => void }) {
  const trpc = useTRPC();
  const saved = useSavedState();
  const [removing, setRemoving] = useState<Rate | null>(null);
  const remove = useMutation(
    trpc.costs.removeRate.mutationOptions({
      onSuccess: (state) => {
        saved(state);
        toast.success("Rate removed");
        setRemoving(null);
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  return (
    <Card>
      <CardHeader
        title="Rates"
        description="Your own exchange rates. Each applies from its date (UTC) until the next one of the same currency."
        actions={
          <Button size="sm" onClick={onAdd}>
            Add rate
          </Button>
        }
      />
      {rates.length === 0 ? (
        <NothingYet icon={Coins} title="No rates yet">
          Without a rate, amounts in other currencies are shown as charged and not added up.
        </NothingYet>
      ) : (
        <ul
          aria-label="Rates"
          className="max-h-128 divide-y divide-line overflow-y-auto border-t border-line"
        >
          {rates.map((rate) => (
            <li
              key={`${rate.currency} ${rate.validFrom}`}
              className="flex items-center justify-between gap-3 px-4 py-2 text-sm"
            >
              <span className="tabular min-w-0 break-words">
                1 {rate.currency} = {formatNumber(Number(rate.rate), 9)} {currency}
                <span className="block text-xs text-ink-muted">from {formatDay(rate.validFrom)}</span>
              </span>
              <Button
                variant="ghost"
                size="iconSm"
                aria-label={`Remove the rate of ${rate.currency} from ${formatDay(rate.validFrom)}`}
                onClick={() => setRemoving(rate)}
              >
                <Trash2 aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title="Remove rate?"
        confirmLabel="Remove"
        pending={remove.isPending}
        onConfirm={() =>
          removing && remove.mutate({ currency: removing.currency, validFrom: removing.validFrom })
        }
      >
        Costs from its date on use the previous rate, or are shown as charged if there is none.
      </ConfirmDialog>
    </Card>
  );
}

function CurrencyDialog({ state, onClose }: { state: CurrencyState; onClose: () => void }) {
  const trpc = useTRPC();
  const saved = useSavedState();
  const update = useMutation(trpc.costs.setCurrency.mutationOptions());
  const form = useOperationForm({
    schema: ownCurrencySchema,
    defaultValues: { currency: state.currency ?? "" },
    input: ({ currency }) => ({ currency: currency || null }),
    send: async (input) => {
      saved(await update.mutateAsync(input));
      toast.success("Currency saved");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Your currency"
      description="Each currency has its own rates. They are kept if you switch to another currency and back."
      submitLabel="Save"
      onClose={onClose}
    >
      <SelectField
        {...form.field("currency")}
        label="Currency"
        options={[{ value: "", label: "None (as charged)" }, ...currencyOptions]}
      />
    </FormDialog>
  );
}

function RateDialog({ own, onClose }: { own: string; onClose: () => void }) {
  const trpc = useTRPC();
  const saved = useSavedState();
  const set = useMutation(trpc.costs.setRate.mutationOptions());
  const form = useOperationForm({
    schema: rateSchema,
    decimals: ["rate"],
    defaultValues: {
      currency: own === "EUR" ? "USD" : "EUR",
      validFrom: new Date().toISOString().slice(0, 10),
      rate: "",
    },
    input: (typed) => typed,
    send: async (input) => {
      saved(await set.mutateAsync(input));
      toast.success("Rate saved");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Add rate"
      description="Replaces a rate of the same currency and date."
      submitLabel="Save"
      onClose={onClose}
    >
      <SelectField
        {...form.field("currency")}
        label="Currency"
        options={currencyOptions.filter(({ value }) => value !== own)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field("rate")}
          label={`Worth in ${own}`}
          hint="Of one unit, for example 0.9412"
          inputMode="decimal"
          autoComplete="off"
          required
          autoFocus
        />
        <TextField {...form.field("validFrom")} label="From" type="date" required />
      </div>
    </FormDialog>
  );
}
