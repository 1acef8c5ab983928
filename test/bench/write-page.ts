import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { arch } from 'node:os'
import type { Line } from './measure.ts'

const page = new URL('../../src/handbook/measurements.md', import.meta.url)
/** What stands above it on the page is written by hand. */
const heading = '## Results'
const architectures = ['x64', 'arm64'] as const

/** How a run was made. `seconds` is how long it took. */
interface Run {
  machine: string
  seconds: number
}

/** Writes the results under the last heading of the handbook's page, in place of the earlier ones. Throws when the tree has changes. */
export function writePage(
  results: readonly [name: string, lines: Line[]][],
  { machine, seconds }: Run,
): void {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  if (git('status', '--porcelain') !== '')
    throw new Error('The working tree has changes, so no commit has these results. Commit first.')
  const text = readFileSync(page, 'utf8')
  const above = text.slice(0, text.indexOf(heading))
  const when = `${new Date().toISOString().slice(0, 10)}, commit ${git('rev-parse', '--short', 'HEAD')}`
  const lines = [
    heading,
    '',
    `Measured on ${when}, in ${Math.round(seconds)} s. ${machine}.`,
    '',
    `| NAME | measure | nightporter, ${arch()} | beside it | ratio | aim | ${others().join(' | ')} |`,
    `|---|---|---|---|---|---|${others()
      .map(() => '---|')
      .join('')}`,
    ...results.flatMap(([name, each]) => each.map((line) => rowOf(name, line))),
    '',
  ]
  writeFileSync(page, above + lines.join('\n'))
}

/** The processors of the boxes that this run did not measure. */
function others(): string[] {
  return architectures.filter((each) => each !== arch())
}

function rowOf(name: string, { measure, ours, constant, raw, ratio, aim, met }: Line): string {
  const beside = [constant, raw && `raw ${raw}`].filter(Boolean).join('; ')
  const aimed = aim === undefined ? '' : `${aim}${met === false ? ': missed' : ''}`
  const cells = [
    `\`${name}\``,
    measure,
    ours,
    beside,
    ratio ?? '',
    aimed,
    ...others().map(() => 'not measured'),
  ]
  return `| ${cells.join(' | ')} |`
}
