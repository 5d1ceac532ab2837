// The tide table, made from its data.
import tides from './tides.json';

export const table = () => tides.map(({ port, hour }) => `${port}: high water at ${hour}`);
