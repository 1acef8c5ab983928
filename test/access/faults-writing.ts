import type { FaultLine } from './faults-table.ts'

/** The four writes that make a blank classic card a key, whichever encoder does them. */
export const writes: readonly FaultLine[] = [
  [
    'writeBlock',
    1,
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'card-write-protected captured',
  ],
  [
    'writeBlock',
    2,
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'card-write-protected captured',
  ],
  [
    'writeBlock',
    3,
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'card-verify-failed? captured',
  ],
  [
    'writeBlock',
    4,
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'encoder-timeout-writing? captured',
    'card-write-protected captured',
  ],
]
