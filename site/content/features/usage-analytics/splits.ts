// The tabs of the dashboard, in the order of its splits.

/** Ids and names. */
export const splitTabs = { name: 'split', labels: ['Team', 'Project', 'User'] } as const;
