import type { CSSProperties } from "react";
import type { BrandMark } from "../../server/workspace/vocabulary.ts";
import { cn } from "../ui/cn.ts";
import { LogoMark } from "./logo.tsx";

const sizes = {
  small: { logo: "h-6 max-w-18", tile: "size-6 rounded-md text-sm" },
  large: { logo: "h-12 max-w-50", tile: "size-12 rounded-lg text-2xl" },
};

/** An organisation's own mark: its logo on white, or its initial on its colour, or the product's. */
export function OrganisationMark({
  name,
  brand: { logo, accent, onAccent },
  size = "small",
}: {
  name: string;
  brand: BrandMark;
  size?: keyof typeof sizes;
}) {
  const style = sizes[size];
  if (logo !== null) {
    return (
      <img
        src={logo}
        alt=""
        className={cn("w-auto shrink-0 rounded-md bg-[#ffffff] object-contain p-0.5", style.logo)}
      />
    );
  }
  if (accent !== null) {
    return (
      <span
        aria-hidden
        className={cn("grid shrink-0 place-items-center font-semibold uppercase", style.tile)}
        style={{ backgroundColor: accent, color: onAccent ?? undefined }}
      >
        {[...new Intl.Segmenter().segment(name)][0]?.segment}
      </span>
    );
  }
  return <LogoMark className={cn("shrink-0", style.tile)} />;
}

/** The main button in the organisation's colour. */
export const brandedButton = ({ accent, onAccent }: BrandMark): CSSProperties | undefined =>
  accent === null ? undefined : { backgroundColor: accent, color: onAccent ?? undefined };

/** Where an organisation's people ask. */
export function SupportLink({ support }: { support: string }) {
  return (
    <a
      href={support.startsWith("https://") ? support : `mailto:${support}`}
      rel="noreferrer"
      className="wrap-anywhere underline underline-offset-2"
    >
      {support}
    </a>
  );
}
