import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pairing } from '../../src/auth/pairing-code.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { startAppliance } from '../appliance.ts'
import { elapse } from '../test-clock.ts'

const minute = 60_000
const here = '192.0.2.1'
const elsewhere = '192.0.2.2'

function opened() {
  const clock = virtualClock(0)
  const shown: string[] = []
  const pair = pairing({ clock, show: (code) => shown.push(code) })
  const pass = (ms: number) => elapse(clock, ms)
  const redeem = (text: string, address = here) => pair.redeem(text, address).is
  return { pair, shown, pass, redeem, code: pair.open() }
}

/** The same code with another last digit. */
function other(code: string): string {
  return code.slice(0, -1) + ((Number(code.at(-1)) + 1) % 10)
}

describe('a pairing code', () => {
  it('has eight digits, and pairs once', () => {
    const { code, redeem, pair } = opened()
    assert.match(code, /^\d{8}$/)
    assert.equal(pair.code(), code)
    assert.equal(redeem(code), 'paired')
    assert.equal(redeem(code), 'closed')
    assert.equal(pair.code(), null)
  })

  it('may be typed in groups', () => {
    const { code, redeem } = opened()
    assert.equal(redeem(` ${code.slice(0, 4)} ${code.slice(4, 6)}-${code.slice(6)}`), 'paired')
  })

  it('is closed before one is opened', () => {
    const pair = pairing({ clock: virtualClock(0), show: () => {} })
    assert.deepEqual(pair.redeem('00000000', here), { is: 'closed' })
  })

  it('is replaced on the screen after 15 minutes, until a client has paired', () => {
    const { code, redeem, pass, shown } = opened()
    pass(15 * minute - 1)
    assert.deepEqual(shown, [])
    pass(1)
    pass(15 * minute)
    assert.equal(shown.length, 2)
    assert.notEqual(redeem(code), 'paired')
    assert.equal(redeem(shown[1]!), 'paired')
    pass(60 * minute)
    assert.equal(shown.length, 2)
  })

  it('pairs again when it was given back, and expires as before', () => {
    const { code, redeem, pass, pair, shown } = opened()
    pass(10 * minute)
    redeem(code)
    pair.giveBack()
    assert.equal(redeem(code), 'paired')
    pair.giveBack()
    pass(5 * minute)
    assert.equal(shown.length, 1)
    assert.equal(redeem(shown[0]!), 'paired')
  })

  for (const wrong of [
    (code: string) => other(code),
    (code: string) => code.slice(1),
    () => '',
    () => '٠٠٠٠٠٠٠٠',
  ])
    it(`does not pair with ${wrong('12345678') || 'nothing'}`, () => {
      const { code, redeem } = opened()
      assert.equal(redeem(wrong(code)), 'wrong')
      assert.equal(redeem(code), 'paired')
    })

  it('makes an address wait ever longer, and others not at all', () => {
    const { code, redeem, pair, pass } = opened()
    for (let tries = 0; tries < 3; tries++) assert.equal(redeem(other(code)), 'wrong')
    assert.deepEqual(pair.redeem(code, here), { is: 'waiting', seconds: 1 })
    pass(1_000)
    for (const seconds of [2, 4, 8, 16]) {
      assert.equal(redeem(other(code)), 'wrong')
      assert.deepEqual(pair.redeem(code, here), { is: 'waiting', seconds })
      pass(seconds * 1_000)
    }
    assert.equal(redeem(other(code)), 'wrong')
    assert.equal(redeem(code, here), 'waiting')
    assert.equal(redeem(code, elsewhere), 'paired', 'while the first address waits')
  })

  it('is replaced on the screen after ten wrong attempts, but not within a minute', () => {
    const { code, redeem, pass, shown } = opened()
    for (let tries = 0; tries < 10; tries++) redeem(other(code), `192.0.2.${tries}`)
    assert.deepEqual(shown, [])
    pass(minute)
    assert.equal(redeem(other(code), '192.0.2.99'), 'wrong')
    assert.equal(shown.length, 1)
    assert.equal(redeem(code, elsewhere), shown[0] === code ? 'paired' : 'wrong')
    assert.equal(redeem(shown[0]!, elsewhere), shown[0] === code ? 'closed' : 'paired')
  })
})

describe('a box without a paired client', () => {
  it('is paired by the code on the screen after any number of wrong codes', async () => {
    const said: string[] = []
    const box = await startAppliance({ sample: false, say: (line) => said.push(line) })
    const pair = (code: string) => box.ask('POST', '/api/config/v1/pairing', { body: { code }, token: null })
    const first = box.appliance.pairingCode!
    const statuses = []
    for (let tries = 0; tries < 30; tries++) {
      const reply = await pair(other(first))
      statuses.push(reply.status)
      if (reply.status !== 429) continue
      assert.equal(reply.body.errors[0].code, 'rate-limited')
      const wait = Number(reply.headers.get('retry-after'))
      assert.equal(reply.body.errors[0].meta.retryAfterSeconds, wait)
      await box.during(box.clock.sleep(wait * 1_000))
    }
    assert.deepEqual(new Set(statuses), new Set([401, 429]))
    assert.ok(said.length > 0)
    const [, shown = ''] = /Pairing code (\d{8})/.exec(said.at(-1)!) ?? []
    assert.equal(shown, box.appliance.pairingCode)
    await box.during(box.clock.sleep(300_000))
    assert.equal((await pair(box.appliance.pairingCode!)).status, 201)
    assert.equal(box.appliance.pairingCode, null)
    await box.stop()
  })
})
