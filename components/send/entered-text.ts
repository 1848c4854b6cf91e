/** What was entered, as one text that is the same for the same. Of variables, what differs from their examples. */
export function enteredText(
  recipients: Readonly<Record<string, readonly string[]>>,
  recipientText: string,
  typed: Readonly<Record<string, Readonly<Record<string, string>>>>,
  audience: { region?: string; language?: string },
): string {
  const values = Object.entries(typed).filter(([, own]) => Object.keys(own).length > 0);
  return JSON.stringify([Object.values(recipients).flat(), recipientText.trim(), values, audience]);
}

/** The same of an empty form. */
export const nothingEntered = enteredText({}, "", {}, {});
