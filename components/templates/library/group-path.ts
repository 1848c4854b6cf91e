/** The page of a name: its variants and what covers which audience. */
export const groupPath = (group: { application: string; name: string }) =>
  `/templates/by-name/${encodeURIComponent(group.application)}/${encodeURIComponent(group.name)}`;
