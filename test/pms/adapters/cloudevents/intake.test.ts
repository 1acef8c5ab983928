import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { intake } from '../../../../src/pms/adapters/cloudevents/intake.ts'
import { excessIn, mayExceed } from '../../../../src/pms/adapters/cloudevents/messages/bounds.ts'
import { largestMessage } from '../../../../src/pms/adapters/cloudevents/messages/envelope.ts'
import { reservationChanged } from '../../../../src/pms/adapters/cloudevents/messages/message-examples.ts'
import { until } from '../../../eventually.ts'

const bytes = Buffer.from(JSON.stringify(reservationChanged))

function listening(takesChanges: boolean) {
  const seen = { pages: 0, pokes: 0 }
  const news = {
    changes() {
      seen.pages++
    },
    poke() {
      seen.pokes++
    },
    line() {},
    takesChanges: () => takesChanges,
  }
  return { seen, received: intake(news, (error) => assert.fail(String(error))) }
}

describe('A message that a PMS sends unasked', () => {
  it('is a page of one change', async () => {
    const { seen, received } = listening(true)
    received.message(bytes)
    await until(() => seen.pages === 1)
    assert.equal(seen.pokes, 0)
  })

  it('is not read while changes are fetched anyway', () => {
    const { seen, received } = listening(false)
    for (let count = 0; count < 500; count++) received.message(Buffer.from('not read'))
    assert.deepEqual(seen, { pages: 0, pokes: 500 })
  })
})

describe('The size of a message', () => {
  const text = (length: number, character = 'x') => ({ data: { comment: character.repeat(length) } })

  it('is written out only where it may be too large', () => {
    assert.equal(mayExceed(reservationChanged, largestMessage), false)
    for (const character of ['x', '\u0001', '€', '\u{1F511}']) {
      const value = text(largestMessage / 3, character)
      assert.ok(
        Buffer.byteLength(JSON.stringify(value)) <= largestMessage || mayExceed(value, largestMessage),
      )
    }
    assert.equal(mayExceed(text(largestMessage), largestMessage), true)
    assert.equal(mayExceed(Array(largestMessage).fill(0), largestMessage), true)
    assert.equal(excessIn(text(largestMessage)), null, 'it is the bytes that are too many')
  })
})
