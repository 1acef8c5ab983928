import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pairing } from '../../src/gate/pairing-code.ts'

describe('a pairing code', () => {
  it('has eight digits and is valid for 15 minutes', () => {
    const { code, expiresAt } = at(1_000).pair.open()
    assert.match(code, /^\d{8}$/)
    assert.equal(expiresAt, 1_000 + 15 * 60_000)
  })

  it('pairs once', () => {
    const { pair } = at(0)
    const { code } = pair.open()
    assert.equal(pair.redeem(code), 'paired')
    assert.equal(pair.redeem(code), 'closed')
  })

  it('pairs again when it was given back, and no longer than before', () => {
    const { clock, pair } = at(0)
    const { code } = pair.open()
    pair.redeem(code)
    pair.giveBack()
    assert.equal(pair.redeem(code), 'paired')
    pair.giveBack()
    clock.now = 15 * 60_000
    assert.equal(pair.redeem(code), 'closed')
  })

  it('that was given back does not take the place of a newer one', () => {
    const { pair } = at(0)
    const first = pair.open().code
    pair.redeem(first)
    let second = pair.open().code
    while (second === first) second = pair.open().code
    pair.giveBack()
    assert.equal(pair.redeem(first), 'wrong')
    assert.equal(pair.redeem(second), 'paired')
  })

  it('may be typed in groups', () => {
    const { pair } = at(0)
    const { code } = pair.open()
    assert.equal(pair.redeem(` ${code.slice(0, 4)} ${code.slice(4, 6)}-${code.slice(6)}`), 'paired')
  })

  it('is closed before one is opened', () => assert.equal(at(0).pair.redeem('00000000'), 'closed'))

  it('pairs to the last millisecond and not after', () => {
    const early = at(0)
    const late = at(0)
    const codes = [early.pair.open().code, late.pair.open().code] as const
    early.clock.now = 15 * 60_000 - 1
    late.clock.now = 15 * 60_000
    assert.equal(early.pair.redeem(codes[0]), 'paired')
    assert.equal(late.pair.redeem(codes[1]), 'closed')
  })

  for (const wrong of [
    (code: string) => other(code),
    (code: string) => code.slice(1),
    () => '',
    () => '٠٠٠٠٠٠٠٠',
  ])
    it(`does not pair with ${wrong('12345678') || 'nothing'}`, () => {
      const { pair } = at(0)
      const { code } = pair.open()
      assert.equal(pair.redeem(wrong(code)), 'wrong')
      assert.equal(pair.redeem(code), 'paired')
    })

  it('is closed after ten wrong ones, even for the right one', () => {
    const { pair } = at(0)
    const { code } = pair.open()
    for (let tries = 0; tries < 10; tries++) assert.equal(pair.redeem(other(code)), 'wrong')
    assert.equal(pair.redeem(code), 'closed')
  })

  it('gives way to a newer one, whose tries are counted anew', () => {
    const { pair } = at(0)
    const first = pair.open().code
    for (let tries = 0; tries < 9; tries++) pair.redeem(other(first))
    let second = pair.open().code
    while (second === first) second = pair.open().code
    assert.equal(pair.redeem(first), 'wrong')
    assert.equal(pair.redeem(second), 'paired')
  })
})

function at(now: number) {
  const clock = { now }
  return { clock, pair: pairing({ now: () => clock.now }) }
}

/** The same code with another last digit. */
function other(code: string): string {
  return code.slice(0, -1) + ((Number(code.at(-1)) + 1) % 10)
}
