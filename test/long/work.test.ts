import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Counted, measures, names, overLimit } from '../work/ceilings.ts'
import { workCounted } from '../work/counted.ts'

/**
 * What requests and commands cost at most, counted and not timed. Statements and rows are counted in the gate too; here, from
 * source, also what depends on how the ids of a run fall into pages, and on the files of the program.
 * `npm run test:long -- work` prints the table.
 */
describe('the work of', () => {
  let counted: Record<string, Counted> = {}
  before(async () => {
    counted = await workCounted()
  })

  for (const name of names)
    it(name, () => {
      const counts = counted[name]!
      assert.deepEqual(overLimit(name, counts, measures), [])
      const { rows, logBytes, flushes, messages, functions } = counts
      if (name.startsWith('GET '))
        assert.deepEqual(
          { rows, logBytes, flushes, messages },
          { rows: 0, logBytes: 0, flushes: 0, messages: 0 },
        )
      else if (rows > 0) {
        assert.ok(logBytes > 0 && flushes > 0, 'it is on the disk')
        assert.ok(messages >= 2, 'it goes to the writer and back')
      }
      assert.ok(functions > 50)
    })

  after((t) => {
    const lines = [
      ['', ...measures],
      ...Object.entries(counted).map(([name, counts]) => [
        name,
        ...measures.map((column) => String(counts[column])),
      ]),
    ]
    const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)))
    for (const line of lines)
      t.diagnostic(
        line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
      )
  })
})
