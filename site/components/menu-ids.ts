// The ids of the menus, for their buttons and scripts. Components have no constants for scripts, which would get their words with them.

/** The panel of the Features menu. */
export const featuresMenuId = 'features-menu';

/** The menu of small screens. */
export const phoneMenuId = 'phone-menu';
