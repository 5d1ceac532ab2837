// An arrow in the strength of the letters beside it; the fonts hold none.

/** Points along the line of text, to where a link leads. */
export function Arrow({ back = false }: { readonly back?: boolean }) {
  return (
    <svg className="arrow" viewBox="0 0 14 10" width="14" height="10" aria-hidden="true">
      <path d={back ? 'M13 5H1.5M5.5 1l-4 4 4 4' : 'M1 5h11.5M8.5 1l4 4-4 4'} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
