// The script of the home page.
import { watchAddress } from '#components/own-bill-state.ts';
import { homeIslands } from './home-islands.tsx';
import { hydrate } from './hydrate.tsx';
import { keepRequestOpen } from './keep-request-open.ts';

hydrate(homeIslands);
watchAddress();
keepRequestOpen();
