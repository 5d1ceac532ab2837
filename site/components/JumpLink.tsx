// A button-like link to an anchor on the same page.
import { useLinkClickHandler } from 'react-router-dom';
import button from './button.module.css';

/** Jumps to `#anchor`; the browser does it alone until React has taken over. */
export function JumpLink({ anchor, children }: { readonly anchor: string; readonly children: string }) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(`#${anchor}`);
  return (
    <a href={`#${anchor}`} onClick={follow} className={`${button.button} ${button.outline}`}>
      {children}
    </a>
  );
}
