// The script of /usage-analytics.
import { TabList } from '#components/Tabs.tsx';
import { splitTabs } from '#content/features/usage-analytics/splits.ts';
import { hydrate } from '../hydrate.tsx';

void hydrate({ example: <TabList {...splitTabs} /> });
