// Returns the paths to export, from the route table.
import { interactiveRoutes } from '#content/routes.ts';

/** All interactive paths. */
export function onBeforePrerenderStart(): string[] {
  return interactiveRoutes.map(({ path }) => path);
}
