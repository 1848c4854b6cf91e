"use client";

import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Broadcast } from "../../server/sending/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldErrors } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";
import { LeaveGuard } from "../ui/leave-guard.tsx";

/** When it goes and how fast. */
export function StartDialog({ broadcast, onClose }: { broadcast: Broadcast; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("broadcasts", "notifications");
  const formId = useId();
  const [at, setAt] = useState("");
  const [rate, setRate] = useState("");
  const count = broadcast.forecast.reduce(
    (sum, each) => sum + each.recipients - each.consentDenied - each.suppressed,
    0,
  );
  const start = useMutation(
    trpc.broadcasts.start.mutationOptions({
      onSuccess: async () => {
        toast.success(at === "" ? "Broadcast started" : "Scheduled");
        onClose();
        await refresh();
      },
      // Started or canceled by somebody else: the page shows it.
      onError: refresh,
    }),
  );
  const problems = fieldErrors(start.error);
  const isShown = "startsAt" in problems || "ratePerSecond" in problems;
  const holdsText = at !== "" || rate !== "";
  return (
    <Dialog
      open
      onClose={onClose}
      keepOpen={holdsText}
      title={`Send ${plural(count, "message")}?`}
      description={`In ${broadcast.environment}. You can pause it at any time.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={start.isPending}>
            {at === "" ? "Send now" : "Schedule"}
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        className="grid gap-4"
        refused={start.error}
        onSubmit={() =>
          start.mutate({
            id: broadcast.id,
            startsAt: at === "" ? undefined : new Date(at).toISOString(),
            ratePerSecond: rate === "" ? null : Number(rate),
          })
        }
      >
        {start.error && !isShown ? <FormError title={errorText(start.error)} /> : null}
        <Field
          label="Start"
          optional
          error={problems.startsAt}
          hint="In your time zone, at most 30 days ahead. Leave empty to send now."
        >
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              // Years of four digits.
              max="9999-12-31T23:59"
              value={at}
              onChange={(event) => setAt(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Messages per second"
          optional
          error={problems.ratePerSecond}
          hint={`Leave empty to send as fast as the providers accept. ${
            Number(rate) === 0 || count === 0
              ? ""
              : `At this rate, it takes about ${formatNumber(Math.ceil(count / Number(rate) / 60))} min.`
          }`}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={rate}
              onChange={(event) => setRate(event.target.value.replaceAll(/\D/g, "").slice(0, 5))}
            />
          )}
        </Field>
      </Form>
      {holdsText ? <LeaveGuard onDiscard={onClose}>What you entered will be lost.</LeaveGuard> : null}
    </Dialog>
  );
}
