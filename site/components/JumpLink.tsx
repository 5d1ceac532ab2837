// A button-like link to an anchor on the same page.
import button from './button.module.css';

/** Jumps to `#anchor`. */
export function JumpLink({ anchor, children }: { readonly anchor: string; readonly children: string }) {
  return (
    <a href={`#${anchor}`} className={`${button.button} ${button.outline}`}>
      {children}
    </a>
  );
}
