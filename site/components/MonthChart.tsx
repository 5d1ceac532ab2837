// Spend by month as a column chart; the last month stands out.
import type { DashboardContent } from '#content/types.ts';
import styles from './MonthChart.module.css';

const height = 100;

/** A list of months, each with a column as high as its spend. */
export function MonthChart({ months }: { readonly months: DashboardContent['trend']['months'] }) {
  const most = Math.max(...months.map((month) => month.value));
  return (
    <ul className={styles.months}>
      {months.map((month) => {
        const tall = Math.round((month.value / most) * height);
        return (
          <li key={month.label}>
            <span className={styles.value}>{month.text}</span>
            <svg viewBox={`0 0 10 ${height}`} preserveAspectRatio="none" aria-hidden="true">
              <rect y={height - tall} width="10" height={tall} />
            </svg>
            <span>{month.label}</span>
          </li>
        );
      })}
    </ul>
  );
}
