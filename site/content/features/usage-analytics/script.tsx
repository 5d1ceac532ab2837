// The script of the page.
import { TabList } from '#components/Tabs.tsx';
import { hydrate } from '#pages/interactive/hydrate.tsx';
import { splitTabs } from './splits.ts';

void hydrate({ example: <TabList {...splitTabs} /> });
