// An arrow with the stroke width of the text next to it. The fonts have no arrow.

/** An arrow after the text of a link. */
export function Arrow({ back = false }: { readonly back?: boolean }) {
  return (
    <svg className="arrow" viewBox="0 0 14 10" width="14" height="10" aria-hidden="true">
      <path d={back ? 'M13 5H1.5M5.5 1l-4 4 4 4' : 'M1 5h11.5M8.5 1l4 4-4 4'} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
