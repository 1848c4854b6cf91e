"use client";

import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Broadcast } from "../../server/sending/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldErrors } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { Input } from "../ui/input.tsx";

/** How fast it goes from now on. */
export function RateDialog({ broadcast, onClose }: { broadcast: Broadcast; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("broadcasts");
  const formId = useId();
  const [rate, setRate] = useState(broadcast.ratePerSecond === null ? "" : String(broadcast.ratePerSecond));
  const change = useMutation(
    trpc.broadcasts.changeRate.mutationOptions({
      onSuccess: async () => {
        onClose();
        await refresh();
      },
      // Ended meanwhile: the page shows it.
      onError: refresh,
    }),
  );
  const problem = fieldErrors(change.error).ratePerSecond;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Limit rate"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={change.isPending}>
            Change
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        className="grid gap-4"
        refused={change.error}
        onSubmit={() => change.mutate({ id: broadcast.id, ratePerSecond: rate === "" ? null : Number(rate) })}
      >
        {change.error && !problem ? <FormError title={errorText(change.error)} /> : null}
        <Field
          label="Messages per second"
          optional
          error={problem}
          hint="Leave empty to send as fast as the providers accept. Messages already on their way are not slowed down."
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
    </Dialog>
  );
}
