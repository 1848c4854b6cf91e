"use client";

// eslint-disable-next-line no-restricted-imports -- here it is told when to.
import NextLink from "next/link";
import { useState, type ComponentProps } from "react";

/**
 * A link to a page of Tidings. The page is fetched ahead when somebody is about to go there; would all links in sight do so, a page
 * asked for twenty others before its own figures.
 */
export function Link({ onPointerEnter, onFocus, ...props }: ComponentProps<typeof NextLink>) {
  const [isNear, setIsNear] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={isNear ? null : false}
      onPointerEnter={(event) => {
        setIsNear(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setIsNear(true);
        onFocus?.(event);
      }}
    />
  );
}
