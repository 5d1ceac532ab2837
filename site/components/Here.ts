// The path of the page, for links to it. Islands have none, and no link to their own page.
import { createContext } from 'react';

/** The path of the route, or nothing on the 404 page. */
export const Here = createContext<string | undefined>(undefined);
