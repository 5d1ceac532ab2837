// The integration as a diff for each client: a struck line of sample code and its replacement.
import { Fragment, type ReactNode } from 'react';
import { linesIn } from '#content/pages/code-samples.ts';
import { codeTabs } from '#content/pages/code-tabs.ts';
import type { CodeChangeContent, CodeLine, CodeSample } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import { TabPanels } from './Tabs.tsx';
import styles from './CodeChange.module.css';
import tabs from './Tabs.module.css';

const tags: Readonly<Record<string, 'del' | 'ins'>> = { '-': 'del', '+': 'ins' };

/** A line. If it is too long, it continues with an indent, and it may break within an address or a chain of names. */
function Line({ line: { mark, text } }: { readonly line: CodeLine }) {
  const Tag = tags[mark] ?? 'span';
  const words = text.trimStart();
  return (
    <Tag>
      <span>{text.slice(0, text.length - words.length)}</span>
      <span className={styles.words}>
        {words.split(/(?<=\/\/|[=(](?=\S))|(?=[.[][a-z0"]|\/chat)/).map((part, index) => (
          <Fragment key={part}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
        {'\n'}
      </span>
    </Tag>
  );
}

/** The code of one client, with its name if there are no tabs. */
function Sample({ sample: { language, diff } }: { readonly sample: CodeSample }) {
  return (
    <>
      <p className={styles.language}>{language}</p>
      <pre className={styles.code}>
        <code>
          {linesIn(diff).map((line) => (
            <Line key={line.mark + line.text} line={line} />
          ))}
        </code>
      </pre>
    </>
  );
}

/** Sample code on paper. */
export function CodeChange({ code: { title, kind, samples, notes }, tabList }: { readonly code: CodeChangeContent; readonly tabList: ReactNode }) {
  return (
    <figure className={styles.figure} aria-label={title}>
      <Receipt>
        <p className={styles.head}>
          <strong>{title}</strong> <span>{kind}</span>
        </p>
        <div className={`${tabs.stack} ${styles.samples}`}>
          {tabList}
          <TabPanels
            name={codeTabs.name}
            panels={samples.map((sample) => (
              <Sample key={sample.language} sample={sample} />
            ))}
          />
        </div>
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note.title}>
              <strong>{note.title}:</strong> {note.text}
            </li>
          ))}
        </ul>
      </Receipt>
    </figure>
  );
}
