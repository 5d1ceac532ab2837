// The islands of all interactive pages.
import { DemoBar } from '#components/DemoBar.tsx';
import { Header } from '#components/Header.tsx';

/** The header, and the bar of phones. */
export const frameIslands = { 'demo-bar': <DemoBar />, header: <Header /> } as const;
