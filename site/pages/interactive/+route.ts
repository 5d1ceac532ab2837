// Matches all interactive paths of the route table.
import { interactiveRoutes } from '#content/routes.ts';

/** Whether a path is interactive. */
export function route(pageContext: { urlPathname: string }): boolean {
  return interactiveRoutes.some(({ path }) => path === pageContext.urlPathname);
}
