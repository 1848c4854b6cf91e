/** Whose account somebody means, as they typed it: the address and the short name of the organisation, if there are several. */
export function readAccount(typed: { organisation?: string | null | undefined; email: string }): {
  organisation: string | null;
  email: string;
} {
  return {
    organisation: typed.organisation?.trim().toLowerCase().slice(0, 40) || null,
    email: typed.email.trim().toLowerCase().slice(0, 254),
  };
}
