// The shapes of the examples with a threshold that visitors set.

/** A choice of a setting: its name, the result in short, and when it suits. */
export interface Choice {
  readonly name: string;
  readonly result: string;
  readonly note: string;
}

/** A setting with choices, from the first to the last step. */
export interface Threshold<C extends Choice> {
  readonly label: string;
  readonly choices: readonly C[];
  /** The index of the choice that is shown first. */
  readonly start: number;
}

/** The answer to a call: its source, and what it takes and costs. */
export interface Answer {
  readonly source: string;
  readonly time: string;
  readonly cost: string;
  readonly cached: boolean;
  /** Width of the time bar, in per cent of the slowest call. */
  readonly share: number;
}

/** The comparison of paid calls with cached answers, by the similarity that a question must have. */
export interface CacheExampleContent {
  readonly kind: 'cache';
  readonly caption: string;
  readonly columns: { readonly call: string; readonly time: string; readonly cost: string };
  readonly threshold: Threshold<Choice & { readonly time: string; readonly cost: string }>;
  readonly paid: Answer;
  readonly reused: Answer;
  readonly calls: readonly {
    readonly label: string;
    readonly question: string;
    /** The first choice of the threshold that answers it from the cache. */
    readonly reusedFrom: number;
  }[];
  readonly without: { readonly label: string; readonly time: string; readonly cost: string };
  /** The label of the sums of a choice. */
  readonly with: string;
}

/** Three tasks and the model each one is sent to, by the quality that an answer must have. */
export interface RoutingExampleContent {
  readonly kind: 'routing';
  readonly columns: { readonly task: string; readonly model: string; readonly cost: string };
  readonly tasks: readonly { readonly level: string; readonly task: string }[];
  /** The models with their costs, from the smallest to the largest. */
  readonly models: readonly { readonly name: string; readonly cost: string }[];
  /** `models` has the index of the model for each task. */
  readonly threshold: Threshold<Choice & { readonly models: readonly number[] }>;
  readonly total: { readonly label: string; readonly was: string };
  readonly note: string;
}
