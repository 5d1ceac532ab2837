// The islands of the home page.
import { Amounts } from '#components/Amounts.tsx';
import { CodeTabs } from '#components/CodeTabs.tsx';
import { HeroBill } from '#components/HeroBill.tsx';
import { OwnBillAnswer, OwnBillCall, OwnBillDesk } from '#components/OwnBillDesk.tsx';
import { Slip } from '#components/Slip.tsx';

/** The bill of the opening, on phones and on wide screens, the tabs of the sample code, and the visitor's own bill. */
export const homeIslands = {
  slip: (
    <>
      <Slip />
      <Amounts />
    </>
  ),
  bill: (
    <>
      <HeroBill />
      <Amounts />
    </>
  ),
  'own-bill': <OwnBillDesk />,
  'own-bill-call': <OwnBillCall />,
  'own-bill-answer': <OwnBillAnswer />,
  'code-tabs': <CodeTabs />,
} as const;
