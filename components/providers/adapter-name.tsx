const names: Record<string, string> = { smtp: "SMTP", twilio: "Twilio", simulator: "Simulator" };

/** The product name of an adapter. */
export function AdapterName({ adapter }: { adapter: string }) {
  return <>{names[adapter] ?? adapter}</>;
}
