// Serves every interactive path of the route table.
import { interactiveRoutes } from '#content/routes.ts';

/** Whether a path is one of them. */
export function route(pageContext: { urlPathname: string }): boolean {
  return interactiveRoutes.some(({ path }) => path === pageContext.urlPathname);
}
