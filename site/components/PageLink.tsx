// Links inside the site: client-side between interactive pages, plain to documents, fetched ahead when pointed at.
import { createContext, useContext, type MouseEvent, type ReactNode } from 'react';
import { useLinkClickHandler, useLocation } from 'react-router-dom';
import { routeOf } from '#content/routes.ts';

/** How the code of a page comes to be there before the page is shown. */
export interface Opening {
  /** Fetches the code of a page before it is asked for. */
  readonly prefetch: (path: string) => void;
  /** Takes over going `to` an address where the code of its page must be waited for; otherwise the router goes there at once. */
  readonly open: (path: string, to: string) => boolean;
}

/** Does nothing where no one provides it. */
export const OpeningContext = createContext<Opening>({ prefetch: () => undefined, open: () => false });

/** Whether a click is meant for this tab: not for another one, and not for a menu. */
const isPlain = (event: MouseEvent): boolean => event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey);

interface PageLinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly label?: string;
  readonly feature?: string;
  readonly onChoose?: (() => void) | undefined;
}

/**
 * A link to a path of the site, with or without an anchor. `feature` marks a feature card's link. It is built on the router's click
 * handler: the router's own Link weighs twice as much, for loaders and fetchers that a static site has no use for.
 */
export function PageLink({ to, children, className, label, feature, onChoose }: PageLinkProps) {
  const { prefetch, open } = useContext(OpeningContext);
  const here = routeOf(useLocation().pathname)?.path;
  const follow = useLinkClickHandler<HTMLAnchorElement>(to);
  const [path = '/', anchor] = to.split('#');
  const clientSide = routeOf(path)?.kind === 'interactive';
  const fetchAhead = clientSide ? () => prefetch(path) : undefined;
  const choose = (event: MouseEvent<HTMLAnchorElement>) => {
    onChoose?.();
    if (!clientSide) return;
    if (isPlain(event) && open(path, to)) event.preventDefault();
    else follow(event);
  };
  return (
    <a
      href={to}
      className={className}
      aria-label={label}
      aria-current={anchor === undefined && path === here ? 'page' : undefined}
      data-feature={feature}
      onClick={choose}
      onPointerEnter={fetchAhead}
      onFocus={fetchAhead}
    >
      {children}
    </a>
  );
}
