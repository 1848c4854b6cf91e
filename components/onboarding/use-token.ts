"use client";

import { useEffect, useState } from "react";

/**
 * The token after the hash sign of the address, which no server sees; then it is taken out of the address, so that it stays in
 * no history. Null until the page is there, the empty text without one.
 */
export function useToken(): string | null {
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const read = () => {
      const given = window.location.hash.slice(1);
      setToken((before) => (given === "" ? (before ?? "") : given));
      if (given !== "") window.history.replaceState(window.history.state, "", window.location.pathname);
    };
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  return token;
}
