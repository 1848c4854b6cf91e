"use client";

import { useState } from "react";
import type { z } from "zod";
import { confirmSecondFactorSchema, ownPasswordSchema } from "../../server/access/schemas.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { FormRefusal, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Started = { secret: string; address: string };

/** The two steps of setting one up. */
export interface SetUpWays {
  start: (input: z.input<typeof ownPasswordSchema>) => Promise<Started>;
  confirm: (input: z.input<typeof confirmSecondFactorSchema>) => Promise<{ recoveryCodes: string[] }>;
}

/** Sets up a second factor: the password, the app with a first code, and the recovery codes. */
export function SecondFactorSetUp({
  ways,
  doneLabel,
  onCodes,
  onDone,
}: {
  ways: SetUpWays;
  doneLabel: string;
  /** When the recovery codes are shown. */
  onCodes?: () => void;
  onDone: () => void;
}) {
  const [started, setStarted] = useState<Started | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) {
    return (
      <div className="grid gap-4">
        <RecoveryCodes codes={codes} />
        <Button variant="primary" className="justify-self-start" onClick={onDone}>
          {doneLabel}
        </Button>
      </div>
    );
  }
  const show = (made: string[]) => {
    setCodes(made);
    onCodes?.();
  };
  return started ? (
    <Confirm confirm={ways.confirm} started={started} onDone={show} />
  ) : (
    <AskPassword start={ways.start} onDone={setStarted} />
  );
}

function AskPassword({ start, onDone }: { start: SetUpWays["start"]; onDone: (started: Started) => void }) {
  const form = useOperationForm({
    schema: ownPasswordSchema,
    defaultValues: { password: "" },
    input: (values) => values,
    send: async (input) => onDone(await start(input)),
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid max-w-sm gap-4">
      {form.refusal ? <FormRefusal refusal={form.refusal} /> : null}
      <TextField
        {...form.field("password")}
        label="Your password"
        hint="To confirm that it's you."
        type="password"
        autoComplete="current-password"
        required
      />
      <Button type="submit" variant="primary" pending={form.pending} className="justify-self-start">
        Continue
      </Button>
    </form>
  );
}

function Confirm({
  confirm,
  started,
  onDone,
}: {
  confirm: SetUpWays["confirm"];
  started: Started;
  onDone: (codes: string[]) => void;
}) {
  const form = useOperationForm({
    schema: confirmSecondFactorSchema,
    defaultValues: { code: "" },
    input: (values) => values,
    send: async (input) => onDone((await confirm(input)).recoveryCodes),
  });
  const secret = started.secret.replace(/(.{4})(?=.)/g, "$1 ");
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-5">
      {form.refusal ? <FormRefusal refusal={form.refusal} /> : null}
      <div className="flex flex-wrap gap-5">
        <QrCode value={started.address} label="QR code for your authenticator app" />
        <div className="min-w-0 flex-1 basis-56 text-sm">
          <p>Scan this with your authenticator app, then enter the code it shows.</p>
          <p className="mt-3 text-ink-muted">Can't scan it? Enter this key in the app:</p>
          <p className="mt-1 flex items-start gap-1">
            <code className="min-w-0 font-mono text-sm break-words select-all">{secret}</code>
            <CopyButton value={started.secret} label="Copy key" />
          </p>
        </div>
      </div>
      <TextField
        {...form.field("code")}
        label="Code"
        className="max-w-40"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={9}
        required
        autoFocus
      />
      <Button type="submit" variant="primary" pending={form.pending} className="justify-self-start">
        Switch on
      </Button>
    </form>
  );
}
