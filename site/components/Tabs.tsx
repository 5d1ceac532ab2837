// Tabs, of which one panel is shown. Without JavaScript, all panels are below each other.
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import styles from './Tabs.module.css';

interface TabsProps {
  /** The start of all ids. */
  readonly name: string;
  readonly labels: readonly string[];
  readonly panels: readonly ReactNode[];
  /** Buttons after the tabs, of which that of the shown panel is shown. */
  readonly actions?: readonly ReactNode[];
}

/** A list of tabs, and their panels. Arrow keys, Home and End select. */
export function Tabs({ name, labels, panels, actions }: TabsProps) {
  const [at, setAt] = useState(0);
  const tabs = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = labels.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    tabs.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <>
      <div data-scripted="" className={styles.row}>
        <div ref={tabs} role="tablist" aria-label={labels.join(', ')} className={styles.tabs}>
          {labels.map((label, index) => (
            <button key={label} type="button" role="tab" id={`${name}-tab-${index}`} aria-controls={`${name}-${index}`} aria-selected={index === at} tabIndex={index === at ? 0 : -1} onClick={() => setAt(index)} onKeyDown={onKeyDown}>
              {label}
            </button>
          ))}
        </div>
        {actions?.[at]}
      </div>
      {labels.map((label, index) => (
        <div key={label} role="tabpanel" tabIndex={0} id={`${name}-${index}`} aria-labelledby={`${name}-tab-${index}`} data-away={index === at ? undefined : ''} className={styles.panel}>
          {panels[index]}
        </div>
      ))}
    </>
  );
}
