const phoneHints = [
  ["0001", "invalid number"],
  ["0002", "provider timeout"],
  ["0003", "rate limit"],
  ["0004", "sent, then failed"],
  ["0005", "delivered after 30 s"],
  ["0006", "opted out"],
  ["0007", "no receipt"],
] as const;
const mailHints = [
  ["invalid@", "invalid address"],
  ["timeout@", "provider timeout"],
  ["ratelimit@", "rate limit"],
  ["bounce@", "bounces"],
  ["complaint@", "complaint"],
] as const;

/** How recipients steer the simulator; every other address is delivered. */
export function SandboxHints({ channel }: { channel: string }) {
  const hints = channel === "email" ? mailHints : phoneHints;
  return (
    <div className="rounded-md border border-line bg-canvas px-3 py-2.5">
      <p className="text-xs font-medium">
        {channel === "email"
          ? "The part before the @ steers the simulator"
          : "The last digits steer the simulator"}
      </p>
      <ul className="mt-1.5 grid grid-cols-2 gap-x-4 gap-y-0.5 text-xs text-ink-muted">
        {hints.map(([mark, effect]) => (
          <li key={mark}>
            <code className="font-mono text-ink">{channel === "email" ? mark : `…${mark}`}</code> {effect}
          </li>
        ))}
      </ul>
    </div>
  );
}
