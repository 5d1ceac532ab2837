// A table on receipt paper, for two of the examples.
import type { ReactNode } from 'react';
import { Receipt } from './Receipt.tsx';
import example from './example.module.css';

interface ExampleTableProps {
  readonly caption: ReactNode;
  /** Column headings. */
  readonly columns: readonly string[];
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** A table with caption and headings. The children are body and foot. */
export function ExampleTable({ caption, columns, className, children }: ExampleTableProps) {
  return (
    <Receipt>
      <div className={example.sheet}>
        <table className={`${example.table} ${className}`}>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          {children}
        </table>
      </div>
    </Receipt>
  );
}
