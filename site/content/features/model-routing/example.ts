// The lanes of the model routing page.
import { routed, routing } from '../../figures.ts';
import { money } from '../../money.ts';
import type { RoutingExampleContent } from '../../threshold-types.ts';

const costs = [routing.small, routing.midsize, routing.large] as const;

/** A choice of the threshold: the index of the model for each task, and the sum. */
function quality(name: string, models: readonly (0 | 1 | 2)[], note: string) {
  return { name, result: money(models.reduce<number>((sum, model) => sum + costs[model], 0)), note, models };
}

/** Three tasks, by the quality of their answers. */
export const example: RoutingExampleContent = {
  kind: 'routing',
  columns: { task: 'Task', model: 'Sent to', cost: 'Cost per call' },
  tasks: [
    { level: 'Simple', task: 'Write “3rd of March, 2024” as an ISO date.' },
    { level: 'Medium', task: 'Summarize this support thread and name the next step.' },
    { level: 'Complex', task: 'Compare this contract with our policy and list every conflict.' },
  ],
  models: [
    { name: 'Small model', cost: money(costs[0]) },
    { name: 'Mid-size model', cost: money(costs[1]) },
    { name: 'Large model', cost: money(costs[2]) },
  ],
  threshold: {
    label: 'How good must an answer be?',
    start: 1,
    choices: [
      quality('Fast', [0, 0, 1], 'A low threshold: the smallest model that can do each task at all. That suits drafts that someone checks.'),
      quality('Careful', [0, 1, 2], 'Each task gets the model that fits it. The complex one still gets the large model.'),
      quality('Strict', [1, 2, 2], 'A high threshold: only the simple task leaves the large model. That suits answers that go straight to customers.'),
    ],
  },
  total: { label: 'All three tasks', was: money(routed.before) },
  note: 'Each lane passes the models below the quality threshold of its task, and ends at the most cost-effective one that meets it.',
};
