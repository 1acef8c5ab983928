import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withOnePrimary } from '../../../src/reservation/values/primary.ts'
import { refusal } from '../refusal.ts'

const cases: [rule: string, marks: (boolean | null)[], primary: boolean[]][] = [
  ['none of none', [], []],
  ['the first when none says so', [null, false, null], [true, false, false]],
  ['the one that says so', [false, null, true], [false, false, true]],
]

describe('One item of a list is primary', () => {
  for (const [rule, marks, primary] of cases) {
    it(rule, () => {
      const items = withOnePrimary(
        marks.map((mark) => ({ primary: mark })),
        '/emails',
      )
      assert.deepEqual(
        items.map((item) => item.primary),
        primary,
      )
    })
  }

  it('never two', () => {
    const items = [{ primary: true }, {}, { primary: true }]
    assert.throws(() => withOnePrimary(items, '/emails'), refusal('validation-failed', '/emails/2/primary'))
  })
})
