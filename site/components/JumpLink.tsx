// A button-like link to an anchor on the same page.
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import button from './button.module.css';

/** Jumps to `#anchor`; the browser does it alone until React has taken over. */
export function JumpLink({ anchor, children }: { readonly anchor: string; readonly children: string }) {
  const navigate = useNavigate();
  const jump = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(`#${anchor}`);
  };
  return (
    <a href={`#${anchor}`} onClick={jump} className={`${button.button} ${button.outline}`}>
      {children}
    </a>
  );
}
