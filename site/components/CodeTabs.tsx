// The tabs of the sample code, with a button that copies the new code of the shown sample.
import { codeTabs } from '#content/pages/code-tabs.ts';
import { CopyButton } from './CopyButton.tsx';
import { TabList } from './Tabs.tsx';

/** The new code in a panel: all lines but the struck ones. */
const newCodeIn = (panel: string): string => [...document.querySelectorAll(`#${panel} code > :not(del)`)].map((line) => line.textContent).join('');

function CopyCode({ panel, label }: { readonly panel: string; readonly label: string }) {
  return <CopyButton text={() => newCodeIn(panel)} of={label} words={codeTabs.copy} />;
}

/** A tab for each language. */
export function CodeTabs() {
  return <TabList {...codeTabs} Action={CopyCode} />;
}
