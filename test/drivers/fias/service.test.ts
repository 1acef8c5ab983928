import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { fiasService } from '../../../drivers/fias/service.ts'
import { pms, type SimulatedFiasPms } from '../../../drivers/fias/simulator/pms-simulator.ts'
import type {
  ServiceAnswer,
  ServiceLink,
  ServiceRequest,
  ServiceSetup,
} from '../../../src/devices/key-service.ts'
import { ownPort } from '../../own-port.ts'
import { testClock } from '../../test-clock.ts'
import { setupBasics } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'

type Handle = (request: ServiceRequest) => Promise<ServiceAnswer>

const clock = testClock()
const made: ServiceAnswer = { outcome: 'done', text: null, uid: '04A1B2C3', found: null }
const order = { KC: '1', WS: 'A', KT: 'N', RN: '101', 'G#': '5', GA: '260801', GD: '260804', DT: '11:00' }
const longMs = 10_000

interface Service {
  link: ServiceLink
  foreign: SimulatedFiasPms
  asked: ServiceRequest[]
  port: number
}

/** A service and the PMS at the other end of its line. */
async function service(
  test: TestContext,
  {
    handle = async () => made,
    connection = {},
    ...over
  }: Partial<SimulatedFiasPms> & {
    handle?: Handle
    connection?: Record<string, unknown>
  } = {},
): Promise<Service> {
  const foreign = pms({ clock, ...over })
  const asked: ServiceRequest[] = []
  const opened = open(
    { framing: foreign.framing, ...connection },
    {
      async openWire() {
        const [box, machine] = duplexPair()
        machine.once('close', () => box.destroy())
        box.once('close', () => machine.destroy())
        void foreign.play(machine)
        return box
      },
      handle(request) {
        asked.push(request)
        return handle(request)
      },
    },
  )
  test.after(() => opened.close())
  if (connection.direction !== 'listen') await until(clock, () => foreign.links === 1)
  return { link: opened, foreign, asked, port: Number(connection.port ?? 0) }
}

function open(
  connection: Record<string, unknown>,
  { openWire, handle }: Pick<ServiceSetup, 'openWire' | 'handle'>,
): ServiceLink {
  return fiasService.open({
    name: 'PMS',
    connection: {
      direction: 'connect',
      path: 'tcp://pms:5010',
      options: { Pool: 2 },
      ...connection,
    },
    openWire,
    handle,
    wallTime: () => setupBasics.wallTime(clock.now()),
    clock,
    log: () => {},
  })
}

/** The fields of the answer, but for the moment of it. */
async function answered(
  { foreign }: Service,
  id: string,
  fields: Record<string, string> = order,
): Promise<Record<string, string | undefined>> {
  const answer = await foreign.ask(id, fields, longMs)
  assert.ok(typeof answer === 'object', `no answer: ${answer}`)
  const { DA, TI, ...said } = answer.fields
  assert.match(`${DA} ${TI}`, /^\d{6} \d{6}$/)
  return { id: answer.id, ...said }
}

describe('a FIAS link, ourselves being the key system', () => {
  for (const framing of ['tcp', 'serial', 'serial-lrc'] as const)
    it(`says what it wants and answers a request: ${framing}`, async (test) => {
      const house = await service(test, { framing })
      const told = { id: 'KA', AS: 'OK', KC: '1', WS: 'A', 'G#': '5', $2: '04A1B2C3' }
      assert.deepEqual(await answered(house, 'KR'), told)
      assert.deepEqual(house.asked, [
        {
          kind: 'create',
          encoder: '1',
          unit: '101',
          extraUnits: [],
          key: 'original',
          reservation: '5',
          from: '2026-08-01',
          until: '2026-08-04',
          untilTime: '11:00',
          on: [],
          off: [],
        },
      ])
      assert.equal(house.link.state().line, 'online')
    })

  it('begins by itself with a PMS that waits to be told', async (test) => {
    const house = await service(test, { speaksFirst: false })
    assert.equal(house.foreign.received[0]?.id, 'LS')
    assert.equal((await answered(house, 'KR')).AS, 'OK')
  })

  it('answers one who asks whether it is there, and says it all again where a start cannot be seen', async (test) => {
    const overTcp = await service(test)
    overTcp.foreign.alive()
    await until(
      clock,
      () => overTcp.foreign.received.at(-1)?.id === 'LA' && overTcp.foreign.received.length === 7,
    )
    const onSerial = await service(test, { framing: 'serial-lrc' })
    onSerial.foreign.alive()
    await until(clock, () => onSerial.foreign.links === 2)
  })

  it('understands copies, single keys, options and further rooms', async (test) => {
    const house = await service(test)
    await answered(house, 'KR', { ...order, KT: 'D', SI: '102;103', KO: ' 1' })
    await answered(house, 'KR', { KC: '1', WS: 'A', KT: 'O', RN: '101', 'G#': '5', KO: '00' })
    const [copy, single] = house.asked
    assert.deepEqual(
      [copy?.key, copy?.extraUnits, copy?.on, copy?.off],
      ['copy', ['102', '103'], ['Pool'], []],
    )
    assert.deepEqual([single?.key, single?.until, single?.on, single?.off], ['one-shot', null, [], ['Pool']])
  })

  it('tells no serial number to who has told it himself', async (test) => {
    const house = await service(test)
    assert.equal((await answered(house, 'KR', { ...order, $2: '04A1B2C3' })).$2, undefined)
  })

  it('tells what it read from a card', async (test) => {
    const found = { unit: '101', reservation: '5', until: { date: '2026-08-04', time: '11:00:00' } }
    const handle: Handle = async () => ({ outcome: 'done', text: null, uid: 'AABBCCDD', found })
    const house = await service(test, { handle })
    const told = {
      id: 'KZ',
      AS: 'OK',
      KC: '1',
      WS: 'A',
      'G#': '5',
      $2: 'AABBCCDD',
      RN: '101',
      GD: '260804',
      DT: '11:00',
    }
    assert.deepEqual(await answered(house, 'KZ', { KC: '1', WS: 'A' }), told)
  })
})

describe('a FIAS key system answers whatever happens', () => {
  for (const [what, handle, told] of [
    ['busy', async () => ({ outcome: 'busy', text: 'Busy' }), ['BY', 'Busy']],
    ['refused', async () => ({ outcome: 'refused', text: 'No|such room' }), ['UR', 'No such room']],
    [
      'a defect of ours',
      () => Promise.reject(new TypeError('secret 1234')),
      ['UR', 'Unexpected error; look at the card'],
    ],
  ] as [string, Handle, string[]][])
    it(what, async (test) => {
      const { AS, CT } = await answered(await service(test, { handle }), 'KR')
      assert.deepEqual([AS, CT], told)
    })

  it('nobody is at work any more, and it still waits', async () => {
    const { promise: never } = Promise.withResolvers<ServiceAnswer>()
    const foreign = pms({ clock })
    const link = open(
      {},
      {
        async openWire() {
          const [box, machine] = duplexPair()
          void foreign.play(machine)
          return box
        },
        handle: () => never,
      },
    )
    await until(clock, () => foreign.links === 1)
    foreign.post(['KR', order])
    await clock.sleep(120_001)
    const said = foreign.received.at(-1)
    assert.deepEqual(
      [said?.id, said?.fields.AS, said?.fields.CT],
      ['KA', 'UR', 'No answer; look at the card'],
    )
    await link.close()
  })

  it('too many at once', async (test) => {
    const { promise: later, resolve } = Promise.withResolvers<ServiceAnswer>()
    const { foreign } = await service(test, { handle: () => later })
    foreign.post(
      ...Array.from(
        { length: 20 },
        (_, index) => ['KR', { ...order, WS: `W${index}` }] as [string, typeof order],
      ),
    )
    const said: string[] = []
    for (let count = 0; count < 4; count++) {
      const answer = await foreign.next(longMs)
      said.push(typeof answer === 'object' ? (answer.fields.AS ?? '') : answer)
    }
    assert.deepEqual(said, ['BY', 'BY', 'BY', 'BY'])
    resolve(made)
    for (let count = 0; count < 16; count++) {
      const answer = await foreign.next(longMs)
      assert.equal(typeof answer === 'object' && answer.fields.AS, 'OK')
    }
  })

  it('the line was lost meanwhile: the answer goes to nobody, and the next request is a new one', async (test) => {
    const { promise: later, resolve } = Promise.withResolvers<ServiceAnswer>()
    const waits = [later]
    const house = await service(test, {
      handle: () => waits.shift() ?? Promise.resolve({ ...made, uid: 'DDCCBBAA' }),
    })
    house.foreign.post(['KR', order])
    await until(clock, () => house.asked.length === 1)
    house.foreign.drop()
    await until(clock, () => house.foreign.links === 2)
    resolve(made)
    assert.equal((await answered(house, 'KR')).$2, 'DDCCBBAA')
    assert.equal(house.asked.length, 2, 'each is a card of its own')
  })

  describe('a line that is listened for', () => {
    it('stays with a PMS that answers, and is free when it leaves', async (test) => {
      const port = await ownPort()
      const house = await service(test, {
        connection: { direction: 'listen', host: '127.0.0.1', port, peers: ['127.0.0.1'] },
      })
      await dialled(test, house)
      await until(clock, () => house.foreign.links === 1)
      const other = pms({ clock })
      const thief = await dialled(test, { foreign: other, port })
      await until(clock, () => thief.destroyed)
      assert.deepEqual(other.received, [])
      assert.equal((await answered(house, 'KR')).AS, 'OK')
      assert.equal(house.foreign.links, 1)
      const [refused] = house.link.state().refusals
      assert.equal(refused?.why, 'second')
      house.foreign.leave()
      await clock.sleep(50)
      await dialled(test, house)
      await until(clock, () => house.foreign.links === 2)
    })

    it('makes room when the power of the PMS was cut', async (test) => {
      const port = await ownPort()
      const house = await service(test, {
        connection: { direction: 'listen', host: '127.0.0.1', port, peers: ['127.0.0.1'] },
      })
      const first = await dialled(test, house)
      await until(clock, () => house.foreign.links === 1)
      // Nothing closes its line, and nothing is said over it any more.
      house.foreign.hasPower = false
      await clock.sleep(10_000)
      const again = pms({ clock })
      await dialled(test, { foreign: again, port })
      await until(clock, () => again.links === 1)
      assert.equal(first.destroyed, true)
      assert.deepEqual(house.link.state().refusals, [])
    })

    async function dialled(
      test: TestContext,
      { foreign, port }: Pick<Service, 'foreign' | 'port'>,
    ): Promise<Socket> {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
      socket.on('error', () => {})
      test.after(() => socket.destroy())
      await new Promise((resolve) => socket.once('connect', resolve))
      void foreign.play(socket)
      return socket
    }
  })
})
