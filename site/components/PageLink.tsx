// Links inside the site: client-side between interactive pages, plain to documents, fetched ahead when pointed at.
import { createContext, useContext, type MouseEvent, type ReactNode } from 'react';
import { useLinkClickHandler, useLocation } from 'react-router-dom';
import { routeOf } from '#content/routes.ts';

/** Fetches the code of a page before it is asked for. Does nothing where no one provides it. */
export const PrefetchContext = createContext<(path: string) => void>(() => undefined);

interface PageLinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly label?: string;
  readonly feature?: string;
  readonly onChoose?: () => void;
}

/**
 * A link to a path of the site, with or without an anchor. `feature` marks a feature card's link. It is built on the router's click
 * handler: the router's own Link weighs twice as much, for loaders and fetchers that a static site has no use for.
 */
export function PageLink({ to, children, className, label, feature, onChoose }: PageLinkProps) {
  const prefetch = useContext(PrefetchContext);
  const { pathname } = useLocation();
  const follow = useLinkClickHandler<HTMLAnchorElement>(to);
  const [path = '/', anchor] = to.split('#');
  const clientSide = routeOf(path)?.kind === 'interactive';
  const fetchAhead = clientSide ? () => prefetch(path) : undefined;
  const choose = (event: MouseEvent<HTMLAnchorElement>) => {
    onChoose?.();
    if (clientSide) follow(event);
  };
  return (
    <a
      href={to}
      className={className}
      aria-label={label}
      aria-current={anchor === undefined && path === pathname ? 'page' : undefined}
      data-feature={feature}
      onClick={choose}
      onPointerEnter={fetchAhead}
      onFocus={fetchAhead}
    >
      {children}
    </a>
  );
}
