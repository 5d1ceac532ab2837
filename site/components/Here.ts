// The path of the page, for links to it. The islands of a page have no router.
import { createContext } from 'react';

/** The path of the route, or nothing on the 404 page. */
export const Here = createContext<string | undefined>(undefined);
