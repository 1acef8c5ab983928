import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isEasy, makePins, pinRules } from '../../src/access/keys/orders/pins.ts'
import type { AccessController } from '../../src/access/resources/access-controller.ts'

const none = { avoid: [] }

describe('a PIN that a stranger would try first', () => {
  for (const pin of ['1234', '129487', '111222', '122111', '456891', '987135', '777249', '949494']) {
    it(pin, () => assert.equal(isEasy(pin, none), true))
  }
  it('that holds what is to be avoided', () => {
    assert.equal(isEasy('583017', { avoid: ['301'] }), true)
    assert.equal(isEasy('519846', { avoid: ['1984'] }), true)
  })
})

describe('a PIN that will do', () => {
  for (const pin of ['274953', '8352', '3141592']) it(pin, () => assert.equal(isEasy(pin, none), false))
})

describe('made PINs', () => {
  const controller = { pinLength: 6, pinAlphabet: null, pinAvoid: ['1984'] } as unknown as AccessController
  const rules = pinRules(controller, 'Room 301')

  it('are as many as asked for, each by the rules, no two alike', () => {
    const pins = makePins(500, rules)
    assert.equal(new Set(pins).size, 500)
    for (const pin of pins) {
      assert.match(pin, /^[1-9]{6}$/)
      assert.ok(!isEasy(pin, rules), pin)
      assert.ok(!pin.includes('301') && !pin.includes('1984'), pin)
    }
  })

  it('are fewer where there are no more', () => {
    const few = makePins(100, { length: 4, alphabet: '379', avoid: [] })
    assert.ok(few.length > 10 && few.length <= 36, String(few.length))
    assert.deepEqual(makePins(5, { length: 4, alphabet: '12', avoid: [] }), [])
  })
})
