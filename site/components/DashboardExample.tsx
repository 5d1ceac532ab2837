// The dashboard mock, drawn in HTML and SVG from sample figures.
import type { DashboardContent, Share } from '#content/types.ts';
import { Bar } from './Bar.tsx';
import { MonthChart } from './MonthChart.tsx';
import { Receipt } from './Receipt.tsx';
import styles from './DashboardExample.module.css';
import example from './example.module.css';

function Shares({ label, items }: { readonly label: string; readonly items: readonly Share[] }) {
  return (
    <div className={styles.cell}>
      <h3 className={styles.label}>{label}</h3>
      <ul className={styles.shares}>
        {items.map((item) => (
          <li key={item.label}>
            <span>{item.label}</span> <span>{item.value}</span>
            <Bar share={item.share} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Tiles, the months, what is left of the budget, and who and what the spend goes to. */
export function DashboardExample({ content }: { readonly content: DashboardContent }) {
  const { budget, trend } = content;
  return (
    <figure className={example.figure}>
      <Receipt>
        <div className={styles.board}>
          <p className={styles.bar}>
            <strong>{content.title}</strong> <span>{content.period}</span>
          </p>
          <dl className={styles.tiles}>
            {content.tiles.map((tile) => (
              <div key={tile.label}>
                <dt className={styles.label}>{tile.label}</dt>
                <dd className={styles.value}>{tile.value}</dd>
                <dd className={styles.detail}>{tile.detail}</dd>
              </div>
            ))}
          </dl>
          <div className={styles.cells}>
            <div className={styles.cell}>
              <h3 className={styles.label}>{trend.label}</h3>
              <MonthChart months={trend.months} />
            </div>
            <div className={styles.cell}>
              <h3 className={styles.label}>{budget.label}</h3>
              <p className={styles.value}>{budget.value}</p>
              <Bar share={budget.share} pen />
              <p className={styles.detail}>{budget.detail}</p>
            </div>
            <Shares label={content.teams.label} items={content.teams.items} />
            <Shares label={content.models.label} items={content.models.items} />
          </div>
        </div>
      </Receipt>
    </figure>
  );
}
