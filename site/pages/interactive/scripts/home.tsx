// The script of the home page.
import { watchAddress } from '#components/own-bill-state.ts';
import { homeIslands } from '../home-islands.tsx';
import { hydrate } from '../hydrate.tsx';
import { keepRequestOpen } from '../keep-request-open.ts';

keepRequestOpen();
// An amount of the opening that was pressed early is in the address, and is the visitor's own.
void hydrate(homeIslands).then(watchAddress);
