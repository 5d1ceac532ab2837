// Spend by month as a column chart: spent amounts, and saved amounts above.
import type { DashboardContent } from '#content/types.ts';
import styles from './MonthChart.module.css';

/** An SVG without a view box: horizontal positions are percentages, so that text keeps its size. */
export function MonthChart({ spend: { label, months } }: { readonly spend: DashboardContent['spend'] }) {
  const most = Math.max(...months.map((month) => month.value));
  const slot = 100 / months.length;
  return (
    <div className={styles.chart}>
      <svg className={styles.plot} role="img">
        <title>{label}</title>
        <desc>{months.map((month) => `${month.label} ${month.text}`).join(', ')}</desc>
        {months.map((month, index) => {
          const tall = (month.value / most) * 100;
          const place = { x: `${slot * (index + 0.14)}%`, width: `${slot * 0.72}%` };
          return (
            <g key={month.label}>
              <rect className={styles.gone} {...place} y="0" height={`${100 - tall}%`} />
              <rect className={styles.spent} {...place} y={`${100 - tall}%`} height={`${tall}%`} />
            </g>
          );
        })}
        <line className={styles.before} x1="0" x2="100%" y1="0" y2="0" />
        <line x1="0" x2="100%" y1="100%" y2="100%" />
      </svg>
      <p className={styles.months} aria-hidden="true">
        {months.map((month, index) => (
          <span key={month.label}>
            {month.label} {month.value !== months[index - 1]?.value && <b>{month.text}</b>}
          </span>
        ))}
      </p>
    </div>
  );
}
