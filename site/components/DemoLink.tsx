// The only component for demo links. They open a new tab, which screen readers announce.
import type { ReactNode } from 'react';
import { frame } from '#content/pages/frame.ts';
import { settings } from '#content/settings.ts';
import button from './button.module.css';

/** The classes by look. */
const looks = { solid: `${button.button} ${button.solid}`, small: `${button.button} ${button.small}`, onPen: `${button.button} ${button.onPen}`, text: button.text } as const;

interface DemoLinkProps {
  readonly children: ReactNode;
  /** `solid` and `onPen` are buttons; `text` is a link in running lists. */
  readonly look?: 'solid' | 'small' | 'onPen' | 'text';
}

/** A link to the page for booking a demo call. */
export function DemoLink({ children, look = 'solid' }: DemoLinkProps) {
  return (
    <a data-demo="" href={settings.demoUrl} target="_blank" rel="noopener" className={looks[look]}>
      {children}
      {look !== 'text' && (
        <svg className={button.arrow} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <path d="M2.5 9.5l7-7M4 2.5h5.5V8" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      )}
      <span className="visually-hidden">{frame.newTab}</span>
    </a>
  );
}
