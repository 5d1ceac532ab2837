// Links inside the site: client-side between interactive pages, plain to documents, fetched ahead when pointed at.
import { createContext, useContext, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
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

/** A link to a path of the site, with or without an anchor. `feature` marks a feature card's link. */
export function PageLink({ to, children, className, label, feature, onChoose }: PageLinkProps) {
  const prefetch = useContext(PrefetchContext);
  const { pathname } = useLocation();
  const [path = '/', anchor] = to.split('#');
  const current = anchor === undefined && path === pathname ? 'page' : undefined;
  const shared = { className, 'aria-label': label, 'aria-current': current, 'data-feature': feature, onClick: onChoose } as const;
  if (routeOf(path)?.kind !== 'interactive') {
    return (
      <a href={to} {...shared}>
        {children}
      </a>
    );
  }
  const fetchAhead = () => prefetch(path);
  return (
    <Link to={to} {...shared} onPointerEnter={fetchAhead} onFocus={fetchAhead}>
      {children}
    </Link>
  );
}
