// A table on receipt paper, as two of the examples show their figures.
import type { ReactNode } from 'react';
import { Receipt } from './Receipt.tsx';
import example from './example.module.css';

interface ExampleTableProps {
  readonly caption: string;
  /** What stands over the columns, in their order. */
  readonly columns: readonly string[];
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** Caption and heads; body and foot are the children. */
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
