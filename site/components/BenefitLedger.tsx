// The four benefits as entries of a ledger: title, description, and a figure in the right column.
import type { Benefit, Proof } from '#content/types.ts';
import { PageLink } from './PageLink.tsx';
import { Words } from './Words.tsx';
import styles from './BenefitLedger.module.css';

/** Questions, and a table with a row for each kind of data. On phones, each cell has its heading, and all of it is folded. */
function ProofTable({ proof }: { readonly proof: Proof }) {
  const [, where, until] = proof.columns;
  return (
    <details className={styles.proof}>
      <summary>{proof.title}</summary>
      <table data-questions="">
        <tbody>
          {proof.questions.map(({ question, answer, link }) => (
            <tr key={question}>
              <th scope="row">{question}</th>
              <td>
                {answer} {link !== undefined && <PageLink to={link.href}>{link.label}</PageLink>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <caption>{proof.caption}</caption>
        <thead>
          <tr>
            {proof.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {proof.rows.map((row) => (
            <tr key={row.what.label}>
              <th scope="row">
                <PageLink to={row.what.href}>{row.what.label}</PageLink>
              </th>
              <td data-column={where}><Words>{row.where}</Words></td>
              <td data-column={until}><Words>{row.until}</Words></td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {proof.leave.before}
        <PageLink to={proof.leave.link.href}>{proof.leave.link.label}</PageLink>
        {proof.leave.after}
      </p>
    </details>
  );
}

/** A list of benefits. */
export function BenefitLedger({ items }: { readonly items: readonly Benefit[] }) {
  return (
    <ul className={styles.ledger}>
      {items.map((item) => (
        <li key={item.title} className={styles.entry}>
          <h3>{item.title}</h3>
          <p className={styles.text}><Words>{item.text}</Words></p>
          <p className={styles.figure}>
            <strong><Words>{item.figure}</Words></strong> <span>{item.unit}</span>
          </p>
          {item.proof !== undefined && <ProofTable proof={item.proof} />}
        </li>
      ))}
    </ul>
  );
}
