// The bar of small screens at the bottom edge: the menu and the demo button, within reach of a thumb.
import { useEffect, useRef } from 'react';
import { shell } from '#content/pages/shell.ts';
import { DemoLink } from './DemoLink.tsx';
import { phoneMenuId } from './PhoneMenu.tsx';
import styles from './DemoBar.module.css';

/** Shows the bar while no other large demo button is on the screen. Scroll timelines do this without a script, if supported. */
function useBar() {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (CSS.supports('animation-timeline: scroll()')) return undefined;
    const buttons = new Set<Element>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        // The closing call is the last button: the bar does not come back below it.
        const past = target.closest('[data-closing]') !== null && boundingClientRect.top < 0;
        buttons[isIntersecting || past ? 'add' : 'delete'](target);
      }
      bar.current?.toggleAttribute('data-shown', buttons.size === 0);
    });
    for (const call of document.querySelectorAll('[data-opening] a[data-demo], [data-closing]')) observer.observe(call);
    return () => observer.disconnect();
  }, []);
  return bar;
}

/** It comes when the button of the opening is out of view, and leaves when the closing call is on the screen. */
export function DemoBar() {
  return (
    <div ref={useBar()} data-demo-bar="" className={styles.bar}>
      <button type="button" className={styles.menu} popoverTarget={phoneMenuId}>
        {shell.menu}
      </button>
      <DemoLink look="onPen">{shell.demo}</DemoLink>
    </div>
  );
}
