// Names the paths to export, from the route table.
import { interactiveRoutes } from '#content/routes.ts';

/** Every interactive path. */
export function onBeforePrerenderStart(): string[] {
  return interactiveRoutes.map(({ path }) => path);
}
