/** Where a new template is written, with what is known of it filled in: arguments for `href`. */
export function newTemplatePath(wish: {
  application?: string | null;
  name?: string | null;
  notificationType?: string | null;
  notificationSubtype?: string | null;
  channel?: string | null;
  region?: string | null;
  language?: string | null;
  provider?: string | null;
  /** The template whose text it starts from. */
  from?: string | null;
}): [string, Record<string, string | undefined | null>] {
  return [
    "/templates/new",
    {
      application: wish.application,
      name: wish.name,
      type: wish.notificationType,
      subtype: wish.notificationSubtype,
      channel: wish.channel,
      region: wish.region,
      language: wish.language,
      provider: wish.provider,
      from: wish.from,
    },
  ];
}
