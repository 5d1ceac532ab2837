// Tabs, of which one panel is shown. Without JavaScript, all panels are below each other.
import { useEffect, useRef, useState, type ComponentType, type KeyboardEvent, type ReactNode } from 'react';
import styles from './Tabs.module.css';

interface TabListProps {
  /** The start of all ids. */
  readonly name: string;
  readonly labels: readonly string[];
  /** The button after the tabs, for the id of the shown panel and its label. */
  readonly Action?: ComponentType<{ readonly panel: string; readonly label: string }>;
}

/** The list of tabs, an island above its panels. Arrow keys, Home and End select. */
export function TabList({ name, labels, Action }: TabListProps) {
  const [at, setAt] = useState(0);
  const tabs = useRef<HTMLDivElement>(null);
  const panelOf = (index: number) => `${name}-${index}`;
  useEffect(() => {
    for (const index of labels.keys()) document.getElementById(`${name}-${index}`)?.toggleAttribute('data-away', index !== at);
  }, [name, labels, at]);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = labels.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    tabs.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div data-scripted="" className={styles.row}>
      <div ref={tabs} role="tablist" aria-label={labels.join(', ')} className={styles.tabs}>
        {labels.map((label, index) => (
          <button key={label} type="button" role="tab" id={`${name}-tab-${index}`} aria-controls={panelOf(index)} aria-selected={index === at} tabIndex={index === at ? 0 : -1} onClick={() => setAt(index)} onKeyDown={onKeyDown}>
            {label}
          </button>
        ))}
      </div>
      {Action && <Action key={at} panel={panelOf(at)} label={labels[at] ?? ''} />}
    </div>
  );
}

/** The panels of a list of tabs. */
export function TabPanels({ name, panels }: { readonly name: string; readonly panels: readonly ReactNode[] }) {
  return panels.map((panel, index) => {
    const id = `${name}-${index}`;
    return (
      <div key={id} role="tabpanel" tabIndex={0} id={id} aria-labelledby={`${name}-tab-${index}`} data-away={index === 0 ? undefined : ''} className={styles.panel}>
        {panel}
      </div>
    );
  });
}
