// Meta's id of a person as one business knows them, and the one that linked businesses share.
const userId = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/;

/** Whether this is a business-scoped user id: how WhatsApp names people who do not show their number. */
export function isUserId(address: string): boolean {
  return userId.test(address);
}
