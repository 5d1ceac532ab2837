// Links inside the site.
import { useContext, type ReactNode } from 'react';
import { Here } from './Here.ts';

interface PageLinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly label?: string;
  readonly feature?: string;
}

/** A link to a path of the site, with or without an anchor. `feature` marks a feature card's link. */
export function PageLink({ to, children, className, label, feature }: PageLinkProps) {
  const here = useContext(Here);
  return (
    <a href={to} className={className} aria-label={label} aria-current={to === here ? 'page' : undefined} data-feature={feature}>
      {children}
    </a>
  );
}
