import type { Line } from './measure.ts'

const columns = ['measure', 'ours', 'constant', 'raw', 'ratio', 'aim', 'met'] as const

const titles: Line & Record<string, unknown> = {
  measure: 'measure',
  ours: 'ours',
  constant: 'constant server',
  raw: 'raw statement',
  ratio: 'ratio',
  aim: 'aim',
}

/** A table in Markdown that reads well as it is. */
export function tableOf(lines: readonly Line[]): string {
  const rows = [{ ...titles, met: undefined }, ...lines].map((line, index) =>
    columns.map((column) => (column === 'met' ? metText(line.met, index) : String(line[column] ?? '-'))),
  )
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const texts = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  )
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [texts[0], rule, ...texts.slice(1)].join('\n')
}

function metText(met: boolean | undefined, row: number): string {
  if (row === 0) return 'met'
  return met === undefined ? '-' : met ? 'yes' : 'NO'
}
