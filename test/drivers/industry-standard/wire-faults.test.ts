import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cardsFor, lay, lift } from '../../../drivers/industry-standard/simulator/lock-pc.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import { call, fault, type grantFor, held } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'
import { type House, newCard } from './house.ts'
import { grant, made, opened, there } from './opened-house.ts'

const shortMs = 2_400

/** Resolves once the line that was open `since` has been lost, and another is open. */
function again({ clock, system }: House, since: number): Promise<void> {
  return until(clock, () => system.state().line === 'online' && system.state().since !== since)
}

/** The card on encoder 1 and no other opens the room. */
async function makesKey(of: House, over: Parameters<typeof grantFor>[1] = {}): Promise<void> {
  const asked = grant(over)
  const card = of.freshCard(Number(asked.encoder))
  assert.equal((await of.system.create(asked, call())).uid, card.uid)
  assert.deepEqual(cardsFor(of.pc, asked.lock), [card])
}

describe('industry-standard when requests are declined', { concurrency: 4 }, () => {
  it('offers one again that was declined twice', async (test) => {
    const at = await opened(test, { pc: { naks: 2 } })
    await makesKey(at)
    assert.equal(made(at).length, 1)
  })

  it('is content when it was declined three times: nothing was done', async (test) => {
    const at = await opened(test, { pc: { naks: 3 } })
    at.freshCard(1)
    await assert.rejects(at.system.create(grant(), call()), fault('lock-system-busy', false))
    assert.deepEqual(made(at), [])
    await makesKey(at)
  })

  it('waits while the lock system is busy, and not for ever', async (test) => {
    const at = await opened(test, { pc: { isBusy: true } })
    await assert.rejects(at.system.create(grant(), call()), fault('lock-system-busy', false))
    assert.deepEqual(made(at), [])
    at.freshCard(1)
    const key = at.system.create(grant(), call())
    await at.clock.sleep(240)
    at.pc.isBusy = false
    await key
    assert.equal(made(at).length, 1)
  })

  it('knows that nothing was done when nobody says that he is ready', async (test) => {
    const at = await opened(test)
    at.pc.misbehaviours.push({ at: 'ENQ', does: 'silence' })
    const { since } = at.system.state()
    await assert.rejects(at.system.create(grant(), call()), fault('lock-system-unreachable', false))
    assert.deepEqual(made(at), [])
    await again(at, since)
    await makesKey(at)
  })
})

describe('industry-standard when answers look odd', { concurrency: 4 }, () => {
  for (const [title, pc] of [
    ['are not to be checked', { skipsLrc: true }],
    ['come byte by byte', { splits: true }],
    ['come in one piece with the ACK', { joins: true }],
    ['come in one piece, byte by byte, unchecked', { joins: true, splits: true, skipsLrc: true }],
    ['tell no serial number', { reportsUid: false }],
  ] as const)
    it(`reads those that ${title}`, async (test) => {
      const at = await opened(test, { pc })
      const card = at.freshCard(1)
      const key = await at.system.create(grant(), call())
      assert.equal(key.uid, 'reportsUid' in pc ? null : card.uid)
      assert.deepEqual(cardsFor(at.pc, '101'), [card])
    })

  it('learns what was made though its ACK was lost', async (test) => {
    const at = await opened(test, { pc: { lostAcks: 1 } })
    await makesKey(at)
    assert.equal(made(at).length, 1)
  })

  it('learns that nothing was made when the ACK was lost and no card lay there', async (test) => {
    const at = await opened(test, { pc: { lostAcks: 1 } })
    await assert.rejects(at.system.create(grant(), call()), fault('no-card', false))
    assert.deepEqual(cardsFor(at.pc, '101'), [])
    await makesKey(at)
    assert.equal(made(at).length, 2)
  })

  it('believes no damaged answer, and does not ask again', async (test) => {
    const at = await opened(test)
    const card = at.freshCard(1)
    at.pc.misbehaviours.push({ at: 'CN', does: 'garble' })
    await assert.rejects(at.system.create(grant(), call()), fault('lock-system-timeout', true))
    assert.deepEqual(cardsFor(at.pc, '101'), [card])
    assert.equal(made(at).length, 1)
    await makesKey(at, there)
  })

  for (const [title, misbehaviour] of [
    ['before it is read', { does: 'close' }],
    ['after it was carried out', null],
  ] as [string, Pick<Misbehaviour, 'does'> | null][])
    it(`does not know what became of a request whose line is closed ${title}`, async (test) => {
      const at = await opened(test)
      at.freshCard(1)
      const { since } = at.system.state()
      if (misbehaviour) at.pc.misbehaviours.push({ at: 'CN', ...misbehaviour })
      else at.pc.instead.push((_send, dropLine) => dropLine())
      await assert.rejects(at.system.create(grant(), call()), fault('lock-system-timeout', true))
      await again(at, since)
      assert.equal(made(at).length, 1)
      await makesKey(at)
    })
})

describe('industry-standard when nobody lays a card down', { concurrency: 4 }, () => {
  it('calls the encoder off, and knows that nothing was made', async (test) => {
    const at = await opened(test)
    await assert.rejects(at.system.create(grant(), call(shortMs)), fault('no-card', false))
    assert.deepEqual(at.pc.requests.at(-1), 'EX|1|E')
    lay(at.pc, 1, newCard())
    assert.deepEqual(cardsFor(at.pc, '101'), [], 'the encoder waits no more')
    await makesKey(at, there)
    assert.deepEqual(cardsFor(at.pc, '101'), [])
  })

  it('calls off one that is not ready for anything meanwhile', async (test) => {
    const at = await opened(test, { pc: { isBusyAtWork: true } })
    await assert.rejects(at.system.create(grant(), call(shortMs)), fault('no-card', false))
    await makesKey(at)
  })

  it('waits for an encoder that does not let itself be called off', async (test) => {
    const at = await opened(test)
    at.pc.misbehaviours.push({ at: 'EX', does: 'refuse', code: 'NAK' })
    const asked = at.system.create(grant(), call(shortMs))
    await until(at.clock, () => at.pc.requests.some((each) => each.startsWith('EX')))
    const card = at.freshCard(1)
    assert.equal((await asked).uid, card.uid)
  })

  it('tells the lock system’s own end of waiting', async (test) => {
    const at = await opened(test, { pc: { cardWaitMs: 30 } })
    await assert.rejects(at.system.create(grant(), call()), fault('no-card', false))
    assert.ok(!at.pc.requests.some((each) => each.startsWith('EX')))
  })

  it('says that it was refused when a clerk calls it off', async (test) => {
    const at = await opened(test)
    const ended = assert.rejects(at.system.create(grant(), call()), fault('lock-system-rejected', false))
    await until(at.clock, () => at.pc.encoders.get(1)!.task !== null)
    at.pc.encoders.get(1)!.task!.callOff()
    await ended
  })

  it('takes a card that is made while it is called off for what it is', async (test) => {
    const at = await opened(test)
    const asked = at.system.create(grant(), call(shortMs))
    const card = newCard()
    const encoder = at.pc.encoders.get(1)!
    await until(at.clock, () => encoder.task !== null)
    const { begin } = encoder.task!
    // The card is found in the very moment in which the encoder is told to stop.
    encoder.task!.callOff = () => begin(card)
    assert.equal((await asked).uid, card.uid)
  })
})

describe('industry-standard when an answer comes late', { concurrency: 4 }, () => {
  it('asks nothing more of an encoder that cannot be called off, until it has answered', async (test) => {
    const at = await opened(test, { pc: { knowsReset: false } })
    await assert.rejects(at.system.create(grant(), call(shortMs)), fault('lock-system-timeout', true))
    // The encoder still waits for the card of 101.
    await assert.rejects(at.system.create(grant(there), call(20_000)), fault('encoder-busy', false))
    await makesKey(at, { lock: '103', encoder: '2' })
    const card = newCard()
    lay(at.pc, 1, card)
    lift(at.pc, 1)
    assert.deepEqual(cardsFor(at.pc, '101'), [card])
    await makesKey(at, there)
    assert.deepEqual(made(at), ['CN1|1|E|101', 'CN1|2|E|103', 'CN1|1|E|102'])
  })

  it('takes no check-out for that of another room', async (test) => {
    const at = await opened(test)
    await makesKey(at)
    let release = () => {}
    at.pc.instead.push((send) => {
      release = send
    })
    const [known, unknown] = [grant(), grant({ lock: '999' })].map((asked) =>
      held(asked, { reference: null, uid: null }),
    )
    await assert.rejects(at.system.revoke!(known!, call(shortMs)), fault('lock-system-timeout', true))
    const next = assert.rejects(at.system.revoke!(unknown!, call()), fault('unit-unknown', false))
    await at.clock.sleep(400)
    assert.deepEqual(made(at).at(-1), 'CO|0|101', 'the next waits')
    release()
    await next
  })

  it('comes on a line of its own after a time without an answer', async (test) => {
    const at = await opened(test, { pc: { answersOnNewest: false } })
    at.freshCard(1)
    let release = () => {}
    at.pc.instead.push((send) => {
      release = send
    })
    await assert.rejects(at.system.create(grant(), call(shortMs)), fault('lock-system-timeout', true))
    lift(at.pc, 1)
    const next = at.system.create(grant(there), call())
    await until(at.clock, () => at.pc.encoders.get(1)!.task !== null)
    // As bad as it can be: after the encoder has confirmed that it was called off, and the next was begun.
    release()
    await at.clock.sleep(200)
    const card = at.freshCard(1)
    assert.equal((await next).uid, card.uid)
  })

  it('is of use again when an answer never comes', async (test) => {
    const at = await opened(test)
    await makesKey(at)
    at.pc.instead.push(() => {})
    const key = held(grant(), { reference: null, uid: null })
    await assert.rejects(at.system.revoke!(key, call(1_000)), fault('lock-system-timeout', true))
    await assert.rejects(at.system.revoke!(key, call(10_000)), fault('lock-system-busy', false))
    for (;;) {
      const refused = await at.system.revoke!(key, call(20_000)).then(
        () => false,
        () => true,
      )
      if (!refused) return
    }
  })
})
