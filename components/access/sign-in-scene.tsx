/**
 * The right half of the sign-in page: messages as a rising tide. Drawn from tokens, decorative only,
 * and left out on narrow screens.
 */
export function SignInScene() {
  const rows = 11;
  return (
    <div aria-hidden className="relative hidden overflow-hidden border-l border-line bg-accent-soft lg:block">
      <svg viewBox="0 0 800 900" preserveAspectRatio="xMidYMax slice" className="absolute inset-0 size-full">
        {Array.from({ length: rows }, (_, row) => {
          const y = 170 + row * 66;
          const rise = 18 + row * 4;
          const shift = (row * 67) % 200;
          return (
            <path
              key={row}
              d={`M ${-200 - shift} ${y} ${Array.from({ length: 8 }, () => `q 50 ${-rise} 100 0 t 100 0`).join(" ")}`}
              fill="none"
              className="stroke-accent"
              strokeWidth={1 + row * 0.5}
              strokeLinecap="round"
              opacity={0.1 + row * 0.055}
            />
          );
        })}
        {[
          [168, 360, 0.5],
          [534, 298, 0.4],
          [402, 492, 0.7],
          [640, 610, 0.8],
          [212, 690, 0.9],
        ].map(([x, y, opacity]) => (
          <g key={`${x}`} opacity={opacity} transform={`translate(${x} ${y})`}>
            <rect
              x="-26"
              y="-18"
              width="52"
              height="36"
              rx="9"
              className="fill-surface stroke-accent"
              strokeWidth="1.5"
            />
            <path
              d="M-14 -4 h28 M-14 5 h17"
              className="stroke-accent"
              strokeWidth="2.5"
              strokeLinecap="round"
            />
          </g>
        ))}
      </svg>
    </div>
  );
}
