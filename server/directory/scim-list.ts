/** What a list may be asked for (RFC 7644 §3.4.2), as it stands in the address. */
export interface ListRequest {
  filter?: string | undefined;
  startIndex?: string | undefined;
  count?: string | undefined;
}

/** Things in one answer. */
export const maxResults = 100;

const listSchemaUri = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

function numberOf(text: string | undefined, otherwise: number, min: number, max: number): number {
  if (text === undefined || !/^-?\d{1,9}$/.test(text)) return otherwise;
  return Math.min(Math.max(Number(text), min), max);
}

/** Where a page begins and how long it is; numbers that are none count as not given, and those out of range as the next in it. */
export function pageOf(request: ListRequest) {
  const startIndex = numberOf(request.startIndex, 1, 1, 1_000_000);
  return {
    filter: request.filter ?? null,
    offset: startIndex - 1,
    limit: numberOf(request.count, maxResults, 0, maxResults),
    page: <Resource>(totalResults: number, resources: Resource[]) => ({
      schemas: [listSchemaUri],
      totalResults,
      startIndex,
      itemsPerPage: resources.length,
      Resources: resources,
    }),
  };
}
