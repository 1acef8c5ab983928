import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import driver from '../../../drivers/fias/driver.ts'
import { keySystem, type SimulatedKeySystem } from '../../../drivers/fias/simulator/key-system-simulator.ts'
import type { BayEvent } from '../../../src/devices/bay/bay-event.ts'
import type { DeviceFault } from '../../../src/devices/fault.ts'
import { ownPort } from '../../own-port.ts'
import { call, fault, grantFor, held, type LockUnderTest } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'
import { clock, type FiasHouse, fiasDriver, fiasHouse, type HouseOptions } from './house.ts'

const under = { clock, locks: ['101', '102'], encoders: ['1', '2'] } as unknown as LockUnderTest
const grant = (over: Parameters<typeof grantFor>[1] = {}) => grantFor(under, over)

async function house(test: TestContext, options: HouseOptions = {}): Promise<FiasHouse> {
  const made = await fiasHouse(options)
  test.after(() => made.close())
  return made
}

/** Makes a key and looks who opens the room now. */
async function makes({ system, kss }: FiasHouse, over: Parameters<typeof grantFor>[1] = {}): Promise<void> {
  const { uid } = await system.create(grant(over), call())
  assert.deepEqual(
    kss.book.opens(over?.lock ?? '101').map((key) => key.uid),
    [uid],
  )
}

describe('a FIAS link, ourselves being the PMS', () => {
  it('is started, described and confirmed in this order', async (test) => {
    const { kss } = await house(test)
    assert.deepEqual(
      kss.linkRecords.map(({ id }) => id),
      ['LS', 'LA'],
    )
    const { DA, TI } = kss.linkRecords[0]!.fields
    assert.match(`${DA} ${TI}`, /^\d{6} \d{6}$/)
  })

  it('says how long an answer is waited for, to a key system that asks', async (test) => {
    const { kss } = await house(test, { kss: { asks: '128' } })
    const said = kss.linkRecords.find(({ id }) => id === 'LC')
    assert.deepEqual(said?.fields, { RT: '128', A0: '60;60' })
  })

  for (const [asks, told] of [
    ['16', { RT: '16', A3: 'nightporter' }],
    ['148', { RT: '148', A1: 'nightporter', A3: 'nightporter', A0: '60;60' }],
    ['8', undefined],
  ] as const)
    it(`tells a key system that asks for ${asks} what it wants to know`, async (test) => {
      const { kss } = await house(test, { kss: { asks } })
      assert.deepEqual(kss.linkRecords.find(({ id }) => id === 'LC')?.fields, told)
    })

  it('sends the fields that are wanted, and no others', async (test) => {
    const made = await house(test, {
      kss: {
        wanted: [
          ['KR', 'KCKTRNG#GDWS'],
          ['KA', 'ASKCWSG#'],
        ],
      },
    })
    await makes(made)
    const { fields } = made.kss.requests[0]!
    assert.deepEqual(Object.keys(fields).sort(), ['G#', 'GD', 'KC', 'KT', 'RN', 'WS'])
    assert.equal(made.system.traits().limits.dateGranularity, 'hour')
  })

  it('cannot do what the key system did not announce', async (test) => {
    const { system, kss } = await house(test, { kss: { wanted: [['KA', 'ASKCWS']] } })
    await assert.rejects(system.create(grant(), call()), fault('unsupported-operation', false))
    const key = { grant: grant(), reference: null, uid: null }
    await assert.rejects(system.revoke!(key, call()), fault('unsupported-operation', false))
    assert.equal(system.change, undefined)
    assert.equal(system.read, undefined)
    assert.equal(kss.requests.length, 0)
  })

  it('makes no key that would be less than what was asked for', async (test) => {
    const { system, kss } = await house(test, { kss: { wanted: [['KR', 'KCKTRNG#GDWS']] } })
    for (const over of [{ extraLocks: ['102'] }, { authorizations: ['Pool'] }])
      await assert.rejects(system.create(grant(over), call()), fault('unsupported-operation', false))
    assert.equal(kss.requests.length, 0)
  })

  it('makes no key for the room that is left of a name whose letters its code page lacks', async (test) => {
    const { system, kss } = await house(test, { connection: { codePage: 'windows-1251' } })
    assert.match(
      driver.lockCodeProblem('\u00c41', { codePage: 'windows-1251' }) ?? '',
      /characters of the code page/,
    )
    for (const over of [{ lock: '\u00c41' }, { extraLocks: ['\u00c41'] }])
      await assert.rejects(system.create(grant(over), call()), fault('unsupported-operation', false))
    assert.equal(kss.requests.length, 0)
  })

  it('takes up what a key system says anew on the same line', async (test) => {
    const made = await house(test)
    assert.ok(made.system.change)
    made.kss.wanted = [
      ['KR', 'KCKTRNG#GDWS'],
      ['KA', 'ASKCWSG#'],
    ]
    made.kss.deeds.push({ at: 'KR', does: 'describe' })
    await makes(made)
    await until(clock, () => made.system.change === undefined)
    await makes(made)
  })

  it('says what a key opens and when', async (test) => {
    const { system, kss } = await house(test)
    await system.create(
      grant({
        family: 4_294_967_295,
        authorizations: ['Gym'],
        extraLocks: ['102', 'POOL'],
        validFrom: Date.parse('2027-08-01T12:00:00Z'),
        validUntil: Date.parse('2027-08-04T08:59:01Z'),
      }),
      call(),
    )
    const { DA, TI, ...fields } = kss.requests[0]!.fields
    assert.ok(DA && TI)
    assert.deepEqual(fields, {
      'K#': '1',
      KC: '1',
      KT: 'N',
      RN: '101',
      WS: '1',
      'G#': '4294967295',
      GA: '270801',
      GD: '270804',
      DT: '11:00',
      GN: fields.GN,
      SI: '102;POOL',
      KO: '0 1',
    })
    assert.equal(kss.book.opens('POOL').length, 1)
  })

  it('reads a card', async (test) => {
    const { system } = await house(test)
    const asked = grant({ validUntil: Date.parse('2027-08-04T09:00:00Z') })
    await system.create(asked, call())
    const { found, uid, remarks } = await system.read!('1', call())
    assert.deepEqual(found, { locks: ['101'], validFrom: null, validUntil: asked.validUntil })
    assert.equal(uid, null)
    assert.deepEqual(remarks, [`Reservation ${asked.family}`])
    await assert.rejects(system.read!('2', call()), fault('lock-system-rejected', false))
  })

  it('counts a key that is gone as taken away', async (test) => {
    const { system } = await house(test)
    await system.revoke!(held(grant(), { reference: null, uid: null }), call())
  })

  it('knows by how much the other clock is wrong', async (test) => {
    const { system } = await house(test)
    const skew = await system.clockSkew!(call())
    assert.ok(skew !== null && Math.abs(skew) > 3_600_000, 'the simulator lives on one day for ever')
  })
})

/** Two public programs, by what they say of themselves and how they answer. */
const others: Record<string, Partial<SimulatedKeySystem>> = {
  'a C# one, which knows rooms and no reservations': {
    asks: '16',
    wanted: [
      ['KR', 'WSKCRNKTK#GAGDGNTI'],
      ['KD', 'WSKCRN'],
      ['KA', 'WSKCAS'],
    ],
    leavesOut: ['G#', '$2', 'CT'],
  },
  'a C++ one, which answers with two digits of the encoder': {
    wanted: [
      ['KR', 'WSKCRNKTK#G#GNGDDT$2'],
      ['KD', 'WSKCRNG#'],
      ['KA', 'ASKCWS'],
    ],
    leavesOut: ['G#', '$2', 'CT'],
    padsEncoder: true,
  },
}

for (const [name, kss] of Object.entries(others))
  describe(`a FIAS key system that says less: ${name}`, () => {
    it('makes originals, copies and single keys, one after the other', async (test) => {
      const { system, kss: made } = await house(test, { kss })
      const took = clock.monotonic()
      await system.create(grant(), call())
      await system.create(grant({ copy: true }), call())
      await system.create(grant({ lock: '102', usage: 'OneShot' }), call())
      assert.ok(clock.monotonic() - took < 5_000, 'no answer is waited for in vain')
      assert.deepEqual([made.book.opens('101').length, made.book.opens('102').length], [2, 1])
      assert.deepEqual(
        made.requests.map(({ fields }) => fields['K#']),
        ['1', '1', '1'],
      )
    })

    it('takes a key back', async (test) => {
      const { system, kss: made } = await house(test, { kss })
      const key = grant()
      await system.create(key, call())
      const isFamily = kss.wanted?.some(([id, names]) => id === 'KD' && names.includes('G#'))
      assert.equal(system.revokes, isFamily ? 'family' : 'unit')
      await system.revoke!(held(key, { reference: null, uid: null }), call())
      assert.equal(made.book.opens('101').length, 0)
    })
  })

describe('a FIAS key system whose answers name encoders', () => {
  it('is not taken to have answered for another', async (test) => {
    const made = await house(test, { kss: { leavesOut: ['G#'], padsEncoder: true } })
    made.kss.deeds.push({ at: 'KR', does: 'hold' })
    await assert.rejects(made.system.create(grant(), call(300)), fault('lock-system-timeout', true))
    const { uid } = await made.system.create(grant({ encoder: '11', lock: '102' }), call())
    made.kss.release()
    assert.deepEqual(
      made.kss.book.opens('102').map((key) => key.uid),
      [uid],
    )
  })

  it('takes nothing away for one party of a room when it has just said that it takes all of it', async (test) => {
    const made = await house(test)
    assert.equal(made.system.revokes, 'family')
    await made.system.create(grant(), call())
    await made.unplug()
    made.kss.wanted = others['a C# one, which knows rooms and no reservations']!.wanted!
    const revoking = made.system.revoke!(held(grant(), { reference: null, uid: null }), call())
    const refused = assert.rejects(revoking, fault('lock-system-busy', false))
    await made.plug()
    await refused
    assert.equal(made.system.revokes, 'unit')
    assert.equal(made.kss.book.opens('101').length, 1)
  })

  it('is not known before it was heard: the whole room is what a revocation may take', async (test) => {
    const system = fiasDriver(clock, { direction: 'connect', path: 'tcp://kss:5010' })
    test.after(() => system.close())
    assert.equal(system.revokes, 'unit')
  })
})

describe('a FIAS key system that misbehaves', () => {
  for (const does of ['other-first', 'one-piece', 'split', 'alive-first'] as const)
    it(`is understood all the same: ${does}`, async (test) => {
      const made = await house(test)
      made.kss.deeds.push({ at: 'KR', does })
      await makes(made)
      await makes(made)
      if (does === 'one-piece' || does === 'alive-first')
        await until(clock, () => made.kss.linkRecords.filter(({ id }) => id === 'LA').length === 2)
    })

  it('is busy twice, and then does it, when it is asked each time', async (test) => {
    const made = await house(test)
    made.kss.deeds.push({ at: 'KR', does: 'refuse', code: 'BY' }, { at: 'KR', does: 'refuse', code: 'BY' })
    for (const _ of [1, 2])
      await assert.rejects(made.system.create(grant(), call()), fault('lock-system-busy', false))
    await makes(made)
    assert.equal(made.kss.requests.length, 3)
  })

  for (const [code, told] of [
    ['RY', 'lock-system-retry'],
    ['NA', 'lock-system-busy'],
    ['DN', 'lock-system-rejected'],
    ['NG', 'lock-system-rejected'],
    ['DE', 'lock-system-rejected'],
    ['FX', 'lock-system-rejected'],
  ] as const)
    it(`says ${code}: ${told}, with its words for the clerk`, async (test) => {
      const { system, kss } = await house(test)
      kss.deeds.push({ at: 'KR', does: 'refuse', code })
      await assert.rejects(system.create(grant(), call()), (error) => {
        assert.ok(fault(told, false)(error))
        assert.equal((error as DeviceFault).vendorCode, code)
        assert.match((error as DeviceFault).message, new RegExp(`Status ${code}`))
        return true
      })
    })

  it('answers in broken bytes: nobody knows', async (test) => {
    const made = await house(test)
    made.kss.deeds.push({ at: 'KR', does: 'garble' })
    await assert.rejects(made.system.create(grant(), call(600)), fault('lock-system-timeout', true))
    await makes(made)
  })

  it('names no reservation and owes an answer: the encoder is busy until that has come', async (test) => {
    const wanted: [string, string][] = [
      ['KR', 'KCKTRNG#GDWS'],
      ['KA', 'ASKCWS$2'],
    ]
    const made = await house(test, { kss: { wanted, leavesOut: ['G#'] } })
    made.kss.deeds.push({ at: 'KR', does: 'hold' })
    await assert.rejects(made.system.create(grant(), call(300)), fault('lock-system-timeout', true))
    await assert.rejects(made.system.create(grant(), call()), fault('lock-system-busy', false))
    await makes(made, { encoder: '2', lock: '102' })
    made.kss.release()
    await until(clock, () => made.kss.book.opens('101').length === 1)
    // The answer may still be on its way to the driver.
    await clock.sleep(50)
    await makes(made)
    assert.equal(made.kss.requests.length, 3)
  })

  it('does not describe itself: it is tried again and again', async (test) => {
    const made = await house(test)
    made.kss.wanted = []
    await made.unplug()
    const plugged = made.plug()
    await assert.rejects(made.system.create(grant(), call()), fault('lock-system-unreachable', false))
    made.kss.wanted = [['KR', 'KCKTRNG#GDWS']]
    await plugged
    await makes(made)
  })
})

describe('a FIAS line that is listened for', () => {
  it('stays with the key system that answers', async (test) => {
    const made = await house(test, { direction: 'listen' })
    const thief = connect({ host: '127.0.0.1', port: made.port, noDelay: true })
    thief.on('error', () => {}).resume()
    test.after(() => thief.destroy())
    await new Promise((resolve) => thief.once('close', resolve))
    assert.equal(made.system.state().line, 'online')
    const [refused] = made.system.state().refusals ?? []
    assert.deepEqual([refused?.why, refused?.address], ['second', '127.0.0.1'])
    await makes(made)
  })

  it('makes room when the power of the key system was cut', async (test) => {
    const port = await ownPort()
    const system = fiasDriver(clock, { direction: 'listen', host: '127.0.0.1', port, peers: ['127.0.0.1'] })
    test.after(() => system.close())
    const connected = async () => {
      const kss = keySystem({ clock, rooms: ['101'] })
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
      test.after(() => socket.destroy())
      await new Promise((resolve) => socket.once('connect', resolve))
      void kss.play(socket)
      return { kss, socket }
    }
    const first = await connected()
    await until(clock, () => system.state().line === 'online')
    // Nothing closes its line, and nothing is said over it any more.
    first.kss.hasPower = false
    await clock.sleep(10_000)
    const second = await connected()
    await until(clock, () => second.kss.linkRecords.at(-1)?.id === 'LA')
    assert.equal(first.socket.destroyed, true)
    await system.create(grant(), call())
    assert.equal(second.kss.book.opens('101').length, 1)
    assert.deepEqual(system.state().refusals, [])
  })

  it('is not for a stranger', async (test) => {
    const port = await ownPort()
    const events: BayEvent[] = []
    const connection = { direction: 'listen', host: '0.0.0.0', port, peers: ['127.0.0.2'] }
    const system = fiasDriver(clock, connection, undefined, (event) => events.push(event))
    test.after(() => system.close())
    const kss = keySystem({ clock, rooms: ['101'] })
    const stranger = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.3', noDelay: true })
    stranger.on('error', () => {})
    void kss.play(stranger)
    await new Promise((resolve) => stranger.once('close', resolve))
    assert.deepEqual(kss.linkRecords, [])
    assert.deepEqual(
      events.map(({ what, visitor }) => [what, visitor]),
      [['refused', { why: 'stranger', address: '127.0.0.3' }]],
    )
    const peer = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2', noDelay: true })
    test.after(() => peer.destroy())
    void kss.play(peer)
    await until(clock, () => system.state().line === 'online')
  })

  it('says whose port it is when it cannot be had', async (test) => {
    const { port } = await house(test, { direction: 'listen' })
    const second = fiasDriver(clock, { direction: 'listen', host: '127.0.0.1', port, peers: ['127.0.0.1'] })
    test.after(() => second.close())
    await until(clock, () => second.state().fault !== null)
    assert.match(second.state().fault!.message, /another program uses the port/)
    await assert.rejects(second.create(grant(), call(200)), (error) => {
      assert.ok(fault('lock-system-unreachable', false)(error))
      assert.match((error as DeviceFault).message, /another program/)
      return true
    })
  })
})

describe('a FIAS serial line', () => {
  const framing = 'serial-lrc'

  it('sends a record again that was refused as damaged', async (test) => {
    const made = await house(test, { framing })
    made.kss.manners.naks = 1
    await makes(made)
    assert.equal(made.kss.requests.length, 1)
  })

  it('knows that a record was not taken when it was refused four times', async (test) => {
    const made = await house(test, { framing })
    made.kss.manners.naks = 4
    await assert.rejects(made.system.create(grant(), call()), fault('lock-system-unreachable', false))
    assert.equal(made.kss.requests.length, 0)
    assert.equal(made.kss.manners.naks, 0)
    await makes(made)
  })

  it('asks for a sign that does not come, and sends nothing twice', async (test) => {
    const made = await house(test, { framing })
    made.kss.manners.unacknowledged = 1
    await makes(made)
    assert.equal(made.kss.requests.length, 1)
  })

  it('takes no longer than it may, whatever the line takes', async (test) => {
    // Signs are awaited for half a minute each.
    const made = await house(test, { framing, connection: { patience: 10 } })
    made.kss.manners.unacknowledged = 1
    made.kss.deeds.push({ at: 'KR', does: 'silence' })
    const before = clock.monotonic()
    await assert.rejects(made.system.create(grant(), call(300)), fault('lock-system-timeout', true))
    assert.ok(clock.monotonic() - before < 15_000)
    assert.equal(made.kss.requests.length, 1)
  })

  it('takes an answer for a sign', async (test) => {
    const made = await house(test, { framing, connection: { patience: 10 } })
    made.kss.manners.unacknowledged = 1
    const before = clock.monotonic()
    await makes(made)
    assert.ok(clock.monotonic() - before < 15_000)
  })

  it('without a check byte takes what comes', async (test) => {
    await makes(await house(test, { framing: 'serial' }))
  })

  for (const check of [0x00, 0x02, 0x03, 0x05, 0x06, 0x15])
    it(`understands an answer whose check byte is ${check}`, async (test) => {
      const made = await house(test, { framing })
      made.kss.deeds.push({ at: 'KR', does: 'check', code: String(check) })
      await makes(made)
      await makes(made)
    })
})
