"use client";

import { useEffect } from "react";

/** Tells the server where the reader is, so that it can draw the next page with their dates (server/front-door/page-requests.ts). */
export function ViewerCookie() {
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const value = `${navigator.language}~${encodeURIComponent(timeZone)}`;
    const secure = window.location.protocol === "https:" ? "; secure" : "";
    document.cookie = `tidings-viewer=${value}; path=/; max-age=31536000; samesite=lax${secure}`;
  }, []);
  return null;
}
