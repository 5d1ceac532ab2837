// The dashboard mock, drawn in HTML and SVG from sample figures. It is a screen, not paper, so it follows the theme.
import type { DashboardContent, Rate as RateContent } from '#content/types.ts';
import { Bar } from './Bar.tsx';
import { Island } from './Island.tsx';
import { MonthChart } from './MonthChart.tsx';
import { Ring } from './Ring.tsx';
import { TabList, TabPanels } from './Tabs.tsx';
import styles from './DashboardExample.module.css';
import example from './example.module.css';

/** A rate with its ring. */
function Rate({ rate }: { readonly rate: RateContent }) {
  return (
    <div className={styles.rate}>
      <div>
        <h3 className={styles.label}>{rate.label}</h3>
        <p className={styles.value}>{rate.value}</p>
        <p className={styles.detail}>{rate.detail}</p>
      </div>
      <Ring title={`${rate.drawn ?? rate.label}: ${rate.share}%`} shares={[rate.share]} tone={rate.tone} />
    </div>
  );
}

/** A part of the amount for each team, project or user. */
function Split({ split: { label, items } }: { readonly split: DashboardContent['splits'][number] }) {
  return (
    <>
      <h3 className={styles.label}>{label}</h3>
      <ul className={styles.shares}>
        {items.map((item) => (
          <li key={item.label}>
            <span>{item.label}</span> <span>{item.value}</span>
            <Bar share={item.share} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Spend by month, three rates, the remaining budget, and spend by team, project or user, and by model. */
export function DashboardExample({ content }: { readonly content: DashboardContent }) {
  const { spend, budget, splits, models } = content;
  return (
    <figure className={`${example.figure} ${styles.board}`}>
      <figcaption className={styles.bar}>
        <strong>{content.title}</strong> <span>{content.period}</span>
      </figcaption>
      <div className={styles.cells}>
        <div className={`${styles.cell} ${styles.spend}`}>
          <div>
            <h3 className={styles.label}>{spend.label}</h3>
            <p className={styles.value}>{spend.value}</p>
            <p className={styles.detail}>{spend.detail}</p>
          </div>
          <MonthChart spend={spend} />
        </div>
        <div className={`${styles.cell} ${styles.rates}`}>
          {content.rates.map((rate) => (
            <Rate key={rate.label} rate={rate} />
          ))}
        </div>
        <div className={styles.cell}>
          <Rate rate={budget} />
        </div>
        <div className={styles.cell}>
          <Island name="example">
            <TabList {...content.tabs} />
          </Island>
          <TabPanels name={content.tabs.name} panels={splits.map((split) => <Split key={split.label} split={split} />)} />
        </div>
        <div className={styles.cell}>
          <h3 className={styles.label}>{models.label}</h3>
          <div className={styles.models}>
            <ul className={styles.shares}>
              {models.items.map((item) => (
                <li key={item.label}>
                  <span>{item.label}</span> <span>{item.value}</span>
                </li>
              ))}
            </ul>
            <Ring title={`${models.label}: ${models.items.map(({ label, value }) => `${label} ${value}`).join(', ')}`} shares={models.items.map(({ share }) => share)} tone="requests" />
          </div>
        </div>
      </div>
      <ul className={styles.legend}>
        {content.legend.map(({ tone, label }) => (
          <li key={tone} data-tone={tone}>
            {label}
          </li>
        ))}
      </ul>
    </figure>
  );
}
