import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { refusals } from '../../../drivers/industry-standard/protocol.ts'
import { cardsFor, opening, present } from '../../../drivers/industry-standard/simulator/lock-pc.ts'
import { DeviceFault, faults } from '../../../src/devices/fault.ts'
import type { OnlineGrant } from '../../../src/devices/lock-system.ts'
import { testClock } from '../../test-clock.ts'
import { berlin, call, fault, held } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'
import { type House, type HouseOptions, house, newCard } from './house.ts'

const now = berlin('2026-08-01T14:20:35', 'start')

async function opened(test: TestContext, options: HouseOptions = {}): Promise<House> {
  const made = await house({ setup: { clock: testClock({ wallMs: now }) }, ...options })
  test.after(() => made.close())
  return made
}

function grant(over: Partial<OnlineGrant> = {}): OnlineGrant {
  return {
    lock: '101',
    sequence: 1,
    copy: false,
    usage: 'Guest',
    authorizations: [],
    validFrom: berlin('2026-08-01T15:00', 'start'),
    validUntil: berlin('2026-08-04T11:00', 'end'),
    credential: 1,
    keyType: 'keyCard',
    encoder: '1',
    extraLocks: [],
    pin: null,
    family: 1,
    label: 'Key 1',
    ...over,
  }
}

const nothing = { reference: null, uid: null }

describe('industry-standard', () => {
  describe('what it says', () => {
    it('a new guest, his copies and a card for once, as the protocol has them', async (test) => {
      const { system, pc, freshCard } = await opened(test)
      for (const [over, said] of [
        [{}, 'CN1|1|E|101||||||15010826|11040826|NIGHTPORTER'],
        [{ copy: true }, 'CC1|1|E|101||||||15010826|11040826|NIGHTPORTER'],
        [{ usage: 'OneShot', encoder: '02' }, 'CA1|2|E|101||||||15010826|11040826|NIGHTPORTER'],
        [{ extraLocks: ['102', '103', '104'] }, 'CN1|1|E|101|102|103|104|||15010826|11040826|NIGHTPORTER'],
      ] as const) {
        const card = freshCard(Number(grant(over).encoder))
        const key = await system.create(grant(over), call())
        assert.equal(pc.requests.at(-1), said)
        assert.deepEqual(key, { reference: null, uid: card.uid })
      }
    })

    it('nothing of a start that has come: the clocks may differ', async (test) => {
      const { system, pc, freshCard } = await opened(test)
      freshCard(1)
      await system.create(grant({ validFrom: now - 1 }), call())
      assert.equal(pc.requests.at(-1), 'CN1|1|E|101|||||||11040826|NIGHTPORTER')
    })

    it('what is granted, and denies the rest unless told otherwise', async (test) => {
      const authorizations = { Pool: 3, Garage: 1, Spa: 8 }
      const strict = await opened(test, { connection: { authorizations } })
      const lax = await opened(test, { connection: { authorizations, denyOthers: false } })
      for (const [made, fields] of [
        [strict, ['13', '8']],
        [lax, ['13', '']],
      ] as const) {
        made.freshCard(1)
        await made.system.create(grant({ authorizations: ['Garage', 'Pool'] }), call())
        assert.deepEqual(made.pc.requests.at(-1)!.split('|').slice(7, 9), fields)
        assert.deepEqual(made.system.authorizations, ['Garage', 'Pool', 'Spa'])
      }
      await assert.rejects(
        strict.system.create(grant({ authorizations: ['Helipad'] }), call()),
        fault('authorization-unknown', false),
      )
    })

    it('hours alone, of SALTO as well, and minutes where the format is told', async (test) => {
      const salto = await opened(test, {
        connection: { dialect: 'salto', dateFormat: 'HHmmDDMMYY' },
        pc: { dateFormat: 'HHmmDDMMYY' },
      })
      salto.freshCard(1)
      const window = { validFrom: now + 60_000, validUntil: berlin('2026-08-04T11:00:01', 'end') }
      await salto.system.create(grant(window), call())
      assert.deepEqual(salto.pc.requests.at(-1)!.split('|').slice(9, 11), ['1421010826', '1101040826'])
      assert.equal(salto.system.traits().limits.dateGranularity, 'minute')
      assert.equal(salto.system.traits().vendor, 'SALTO')

      const hours = await opened(test, { connection: { dialect: 'salto' } })
      hours.freshCard(1)
      await hours.system.create(grant(window), call())
      assert.deepEqual(hours.pc.requests.at(-1)!.split('|').slice(9, 11), ['14010826', '12040826'])
    })

    it('which are read with minutes too, whatever is written', async (test) => {
      const { system, pc, freshCard } = await opened(test, { connection: { dialect: 'salto' } })
      freshCard(1)
      await system.create(grant(), call())
      pc.dateFormat = 'HHmmDDMMYY'
      const { found } = await system.read!('1', call())
      assert.equal(found?.validUntil, berlin('2026-08-04T11:00', 'end'))
    })
  })

  describe('which card opens what', () => {
    it('the new one, and no longer that of the guest before', async (test) => {
      const { system, pc, freshCard } = await opened(test)
      const first = freshCard(1)
      await system.create(grant(), call())
      assert.deepEqual(opening(pc, '101'), [], 'not yet')
      assert.deepEqual(opening(pc, '101', '202608021200'), [first.uid])
      const second = freshCard(1)
      await system.create(grant({ extraLocks: ['102'] }), call())
      const copy = freshCard(2)
      await system.create(grant({ copy: true, encoder: '2' }), call())
      assert.deepEqual(opening(pc, '101', '202608021200'), [second.uid, copy.uid])
      assert.deepEqual(opening(pc, '102', '202608021200'), [second.uid])
      assert.deepEqual(opening(pc, '101', '202608041101'), [], 'no longer')
    })

    it('none once each of its rooms was checked out', async (test) => {
      const { system, pc, freshCard } = await opened(test)
      freshCard(1)
      const asked = grant({ extraLocks: ['102'] })
      const key = await system.create(asked, call())
      await system.revoke!(held(asked, key), call())
      assert.deepEqual(pc.requests.slice(1), ['CO|0|101', 'CO|0|102'])
      for (const room of ['101', '102']) assert.deepEqual(opening(pc, room, '202608021200'), [])
    })

    it('none once it was checked out, also where its encoder had not made it yet', async (test) => {
      const { system, pc, clock, freshCard } = await opened(test, { pc: { knowsReset: false } })
      await assert.rejects(system.create(grant(), call(8_000)), fault('lock-system-timeout', true))
      const early = system.revoke!(held(grant(), nothing), call())
      await assert.rejects(early, fault('lock-system-busy', false))
      assert.ok(!pc.requests.includes('CO|0|101'), pc.requests.join())
      freshCard(1)
      await until(clock, () => cardsFor(pc, '101').length === 1)
      await system.revoke!(held(grant(), nothing), call())
      assert.deepEqual(cardsFor(pc, '101'), [])
    })

    it('one that opens once opens once, and there are only so many', async (test) => {
      const { system, pc, freshCard } = await opened(test, { pc: { onceCardsMost: 1 } })
      const card = freshCard(1)
      const once = grant({ usage: 'OneShot', validFrom: now })
      await system.create(once, call())
      assert.deepEqual(
        [present(pc, '101', card.uid), present(pc, '101', card.uid), present(pc, '102', card.uid)],
        [true, false, false],
      )
      freshCard(1)
      await assert.rejects(system.create(once, call()), fault('lock-system-limit', false))
    })

    it('none of a check-out of a room that is not known', async (test) => {
      const { system } = await opened(test)
      const gone = held(grant({ lock: '999' }), nothing)
      await assert.rejects(system.revoke!(gone, call()), fault('unit-unknown', false))
    })

    it('checks out no room that has another key by the turn of the check-out', async (test) => {
      const { system, pc, freshCard } = await opened(test)
      freshCard(1)
      const making = system.create(grant(), call())
      let isMade = false
      const expectNoOther = () => {
        if (isMade) throw new DeviceFault('lock-system-busy', 'Another key of the unit was made meanwhile.')
      }
      const revoking = system.revoke!(held(grant(), nothing), { ...call(), expectNoOther })
      isMade = true
      await assert.rejects(revoking, fault('lock-system-busy', false))
      await making
      assert.ok(!pc.requests.some((text) => text.startsWith('CO')))
    })

    it('checks out all rooms of a key before the next guest of one of them has a card', async (test) => {
      const { system, pc, freshCard } = await opened(test)
      const asked = grant({ extraLocks: ['102'] })
      freshCard(1)
      const key = await system.create(asked, call())
      freshCard(1)
      let next: Promise<unknown> = Promise.resolve()
      pc.instead.push((send) => {
        next = system.create(grant({ lock: '102', credential: 2 }), call())
        send()
      })
      await system.revoke!(held(asked, key), call())
      await next
      assert.deepEqual(
        pc.requests.slice(1).map((request) => request.split('|')[0]),
        ['CO', 'CO', 'CN1'],
      )
      assert.equal(pc.rooms.get('102')?.isCheckedIn, true)
    })
  })

  describe('what is refused', () => {
    it('by itself, before anybody is asked', async (test) => {
      const { system, pc } = await opened(test)
      for (const over of [
        { encoder: null },
        { encoder: '0' },
        { encoder: '100' },
        { encoder: 'lobby' },
        { keyType: 'pinCode', pin: '1234' },
        { usage: 'Staff' },
        { usage: 'Spare' },
        { extraLocks: ['102', '103', '104', '105'] },
        { usage: 'OneShot', extraLocks: ['102'] },
        { usage: 'OneShot', copy: true },
        { lock: '' },
        { lock: '10\u00b31' },
        { lock: '10\n1' },
        { lock: 'LM' },
        { extraLocks: ['\u4e00'] },
        { validUntil: grant().validFrom },
        { validUntil: berlin('2101-01-01T11:00', 'end') },
      ] as Partial<OnlineGrant>[]) {
        assert.ok(system.grantProblem(grant(over)), JSON.stringify(over))
        await assert.rejects(system.create(grant(over), call()), fault('unsupported-operation', false))
      }
      assert.equal(system.grantProblem(grant({ lock: 'Suite Ä' })), null)
      assert.deepEqual(pc.requests, [])
    })

    for (const [code, { fault: name, unclear = false }] of Object.entries(refusals))
      it(`with ${code} is ${name}, and keeps its letters`, async (test) => {
        const { system, pc } = await opened(test)
        pc.misbehaviours.push({ at: 'CN', does: 'refuse', code })
        await assert.rejects(system.create(grant(), call()), (error) => {
          assert.ok(error instanceof DeviceFault)
          assert.equal(error.vendorCode, code)
          assert.equal(error.outcomeUnknown, faults[name].outcomeUnknown ?? unclear)
          return error.code === name
        })
        assert.equal(pc.requests.length, 1)
      })

    it('for a room that is out of service, taken, or checked out', async (test) => {
      const { system, pc, freshCard } = await opened(test)
      freshCard(1)
      pc.rooms.get('102')!.isOutOfService = true
      pc.rooms.get('103')!.isTaken = true
      for (const [lock, copy, code] of [
        ['999', false, 'unit-unknown'],
        ['102', false, 'lock-system-rejected'],
        ['103', false, 'lock-system-retry'],
        ['101', true, 'lock-system-rejected'],
      ] as const)
        await assert.rejects(system.create(grant({ lock, copy }), call()), fault(code, false))
    })

    it('for an encoder that is switched off, or is not there', async (test) => {
      const { system, pc } = await opened(test)
      pc.encoders.get(1)!.isOnline = false
      await assert.rejects(system.create(grant(), call()), fault('encoder-offline', false))
      await assert.rejects(system.create(grant({ encoder: '9' }), call()), fault('encoder-offline', false))
    })

    it('without the password, and no text tells it', async (test) => {
      const pc = { login: 'FRONT:s3cret' }
      const connection = { operator: 'FRONT' }
      const right = await opened(test, { pc, connection, credentials: { password: 's3cret' } })
      right.freshCard(1)
      await right.system.create(grant(), call())
      right.pc.misbehaviours.push({ at: 'CN', does: 'refuse', code: 'EG' })
      right.pc.instead.push((send) => send())
      const wrong = await opened(test, { pc, connection, credentials: { password: 'other' } })
      await assert.rejects(wrong.system.create(grant(), call()), (error) => {
        assert.doesNotMatch(String((error as Error).message), /other|s3cret/)
        return fault('lock-system-auth-failed', false)(error)
      })
    })
  })

  describe('what lies on an encoder', () => {
    it('a guest’s card, with rooms and window, and without the operator', async (test) => {
      const { system, freshCard } = await opened(test, { credentials: { password: 's3cret' } })
      const card = freshCard(1)
      await system.create(grant({ extraLocks: ['102'] }), call())
      const found = await system.read!('1', call())
      assert.deepEqual(found, {
        uid: card.uid,
        blank: false,
        found: {
          locks: ['101', '102'],
          validFrom: berlin('2026-08-01T15:00', 'start'),
          validUntil: berlin('2026-08-04T11:00', 'end'),
        },
        remarks: ['Copy 0'],
      })
    })

    it('one that was checked out, one of an earlier guest, and one that nobody knows', async (test) => {
      const { system, pc, freshCard } = await opened(test)
      freshCard(1)
      const key = await system.create(grant(), call())
      await system.revoke!(held(grant(), key), call())
      assert.match((await system.read!('1', call())).remarks.join(), /checked out/)
      pc.rooms.get('101')!.issue++
      assert.equal((await system.read!('1', call())).found, null)
      freshCard(1)
      const blank = await system.read!('1', call())
      assert.deepEqual([blank.found, blank.uid], [null, null])
      await assert.rejects(system.read!(null, call()), fault('encoder-offline', false))
    })

    it('nothing, in time: that changes nothing', async (test) => {
      const { system, pc } = await opened(test)
      await assert.rejects(system.read!('1', call(800)), fault('no-card', false))
      pc.instead.push(() => {})
      pc.encoders.get(1)!.card = newCard()
      await assert.rejects(system.read!('1', call(800)), fault('encoder-timeout', false))
    })
  })

  it('does not begin what nobody waits for any more, and ends what it began', async (test) => {
    const { clock, system, pc, freshCard } = await opened(test)
    const [early, late] = [new AbortController(), new AbortController()]
    const first = system.create(grant(), call(20_000, early.signal))
    const second = system.create(grant({ lock: '102', encoder: '2' }), call(20_000, late.signal))
    const refused = assert.rejects(second, fault('lock-system-busy', false))
    await until(clock, () => pc.requests.length === 1)
    late.abort()
    early.abort()
    await refused
    const card = freshCard(1)
    assert.equal((await first).uid, card.uid)
    await system.revoke!(held(grant(), nothing), call())
    assert.deepEqual(pc.requests.slice(1), ['CO|0|101'])
  })

  it('keeps its order: nobody who waited too long is asked for', async (test) => {
    const { system, pc, freshCard } = await opened(test)
    const first = system.create(grant(), call(20_000))
    await assert.rejects(
      system.create(grant({ lock: '102', encoder: '2' }), call(240)),
      fault('lock-system-busy', false),
    )
    freshCard(1)
    await first
    assert.equal(pc.requests.length, 1)
    assert.deepEqual(cardsFor(pc, '102'), [])
  })
})
