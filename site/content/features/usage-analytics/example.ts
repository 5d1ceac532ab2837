// The dashboard of the usage analytics page.
import { billTotal, months } from '../../bill.ts';
import { cache, percent } from '../../figures.ts';
import { money } from '../../money.ts';
import type { DashboardContent } from '../../types.ts';
import { splitTabs } from './splits.ts';

/** The totals of the month. */
export const month = billTotal();
/** The budget of the month. */
export const budget = 6000;
const monthNames = ['Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep'] as const;
/** Millions of tokens in the month. */
const tokens = { asked: 42, saved: 16.8 };

/** A part of the month, whose amount follows from its share. */
const part = (label: string, share: number) => ({ label, value: money((month.after * share) / 100), share });
/** The spending of each team. */
export const teams = [part('Support', 40), part('Product', 30), part('Data', 20), part('Marketing', 10)];
const model = (label: string, share: number) => ({ label, value: `${share}%`, share });
const monthOf = (label: string, value: number) => ({ label, value, text: money(value) });

/** One month, in sample figures. */
export const example: DashboardContent = {
  kind: 'dashboard',
  title: 'AI spend',
  period: 'Sample month',
  spend: {
    label: 'Monthly spend',
    value: money(month.after),
    detail: `instead of ${money(month.before)}`,
    months: monthNames.map((name, index) => monthOf(name, months[index] ?? 0)),
  },
  rates: [
    { label: 'Cost reduction', value: `${month.percent}%`, share: month.percent, detail: `${money(month.saved)} kept`, tone: 'saved' },
    { label: 'Tokens saved', value: `${tokens.saved}M`, share: percent(tokens.saved, tokens.asked), detail: `of ${tokens.asked}M asked for`, tone: 'saved' },
    { label: 'Cache hit rate', value: `${cache.hitRate.sample}%`, share: cache.hitRate.sample, detail: 'in 30 days', tone: 'requests' },
  ],
  budget: {
    label: 'Budget remaining',
    value: money(budget - month.after),
    share: percent(month.after, budget),
    detail: `${money(month.after)} of ${money(budget)} used`,
    tone: 'spent',
    drawn: 'Budget used',
  },
  tabs: splitTabs,
  splits: [
    { label: 'Spending by team', items: teams },
    { label: 'Spending by project', items: [part('Ticket summaries', 35), part('Product search', 30), part('Weekly reports', 20), part('Ad copy', 15)] },
    { label: 'Spending by user', items: [part('support-bot', 45), part('search-api', 30), part('J. Alvarez', 15), part('R. Meyer', 10)] },
  ],
  legend: [
    { tone: 'spent', label: 'Spent' },
    { tone: 'saved', label: 'Saved' },
    { tone: 'requests', label: 'Share of requests' },
  ],
  models: { label: 'Model usage share', items: [model('Small models', 61), model('Mid-size models', 27), model('Large models', 12)] },
};
