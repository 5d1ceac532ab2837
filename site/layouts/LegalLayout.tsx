// A legal text: title, date, table of contents (in a sticky bar on phones), and numbered clauses.
import { legal } from '#content/pages/legal.ts';
import type { LegalText } from '#content/legal-text.ts';
import { DocumentLayout } from './DocumentLayout.tsx';
import styles from './LegalLayout.module.css';

/** `end` is the last line of the text. */
export function LegalLayout({ text, end }: { readonly text: LegalText; readonly end?: { readonly anchor: string; readonly text: string } }) {
  return (
    <DocumentLayout back={legal.back}>
      {/* On phones, the contents cover the text while they are the target of the address. So a choice closes them. */}
      <p data-contents="" className={styles.bar}>
        <a href="#contents" className={styles.open}>
          {legal.contents}
        </a>
        <a href="#reading" className={styles.close}>
          {legal.close}
        </a>
        <span id="contents" className={`${styles.target} ${styles.unfolds}`} />
        <span id="reading" className={styles.target} />
      </p>
      <article className={`wrap ${styles.page}`}>
        <div className={styles.head}>
          <h1>{text.title}</h1>
          <p className={styles.updated}>
            {legal.updated} <time dateTime={text.updated.iso}>{text.updated.text}</time>
          </p>
        </div>
        <nav data-contents="" className={styles.contents} aria-labelledby="contents-title">
          <h2 id="contents-title">{legal.contents}</h2>
          <ol>
            {text.clauses.map(({ anchor, heading }) => {
              const space = heading.indexOf(' ');
              return (
                <li key={anchor}>
                  <a href={`#${anchor}`}>
                    <span>{heading.slice(0, space)}</span> <span>{heading.slice(space + 1)}</span>
                  </a>
                </li>
              );
            })}
          </ol>
        </nav>
        <div className={styles.text}>
          <div className={styles.intro} dangerouslySetInnerHTML={{ __html: text.intro }} />
          {text.clauses.map((clause) => (
            <section key={clause.anchor} id={clause.anchor} data-clause="" className={styles.clause} aria-labelledby={`${clause.anchor}-title`}>
              <h2 id={`${clause.anchor}-title`}>{clause.heading}</h2>
              <div dangerouslySetInnerHTML={{ __html: clause.html }} />
            </section>
          ))}
          {end !== undefined && <p id={end.anchor}>{end.text}</p>}
        </div>
      </article>
    </DocumentLayout>
  );
}
