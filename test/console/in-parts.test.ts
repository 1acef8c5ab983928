import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inParts } from '../../src/console/pages/setup/restore/in-parts.ts'

/** What the box answers to a part: how many bytes it has now. */
class Received extends Error {
  readonly bytes: number
  constructor(bytes: number) {
    super(`${bytes} received`)
    this.bytes = bytes
  }
}

describe('a file that is sent in parts', () => {
  const { signal } = new AbortController()
  const said = (error: unknown) => (error instanceof Received ? error.bytes : null)
  const pause = async () => {}

  it('arrives over a line that is too slow for a whole part', async () => {
    let there = 0
    const send = async (at: number): Promise<number> => {
      if (at !== there) throw new Received(there)
      there++
      throw new Error('408')
    }
    await inParts({ size: 1_000, offset: 0, signal, send, said, pause }).catch(() => {})
    assert.equal(there, 1_000)
  })

  it('is given up when the box takes nothing any more, or refuses for good', async () => {
    let asked = 0
    const send = async (): Promise<number> => {
      asked++
      throw new Error('no line')
    }
    await assert.rejects(inParts({ size: 10, offset: 0, signal, send, said, pause }), /no line/)
    assert.equal(asked, 121)
    asked = 0
    await assert.rejects(
      inParts({ size: 10, offset: 0, signal, send, said: () => 'final', pause }),
      /no line/,
    )
    assert.equal(asked, 1)
  })
})
