import { usePortal } from "../portal/portal-context.tsx";

/** The applications for which somebody may ask. */
export function useAskingApplications() {
  const { applications, canIn } = usePortal();
  return applications.filter(({ unitId }) => canIn("consent:write", unitId));
}
