/** What an organisation begins with where nobody has said otherwise. */
export const firstTeam = { slug: "main", name: "Main team" } as const;
export const firstApplication = { name: "webshop", title: "Webshop" } as const;

/** A first request that works in the sandbox at once; `transactionId` is to be replaced on each call. */
export function exampleRequest(about: { application: string; country: string; language: string }): {
  method: "POST";
  path: string;
  body: Record<string, unknown>;
} {
  return {
    method: "POST",
    path: "/api/app/notifications/send",
    body: {
      transactionId: "first-message-1",
      application: about.application,
      region: about.country,
      language: about.language,
      notificationType: "order",
      notificationSubtype: "order_status",
      recipients: [{ channel: "email", recipient: "ada@example.com" }],
      templateVariables: [{ customerName: "Ada" }, { orderNumber: "A-1042" }, { status: "shipped" }],
    },
  };
}
