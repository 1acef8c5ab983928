import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { blankCards } from '../../src/simulators/devices/simulated-card.ts'
import { take } from '../../src/simulators/devices/simulated-card-path.ts'
import { always } from './card-faults.ts'
import { type HouseWithDoors, houseWithDoors, until } from './house-with-doors.ts'

let house: HouseWithDoors
before(async () => {
  house = await houseWithDoors()
})
after(() => house.stop())

const at = (rest: string) => `/api/v2/access/dispensers/${house.dispenserId}/${rest}`
async function put(rest: string): Promise<string> {
  const { status, body } = await house.ask('PUT', at(rest))
  return status === 204 ? '204' : `${status} ${body.errors[0].code}`
}

/** Until the machine reports it. */
function reports(state: string): Promise<unknown> {
  return until(
    state,
    () => house.dispenser(),
    (seen) => seen.state === state,
  )
}

/** What was begun meanwhile; it is over before the next case. */
const begun: Promise<unknown>[] = []

/** How the dispenser gets into each reported state. */
const into: Record<string, () => Promise<unknown>> = {
  active: async () => {},
  inactive: () => put('status/inactive'),
  maintenance: () => put('status/maintenance'),
  accepting: () => put('status/accepting'),
  starting: () => {
    house.lobby.dispenser.pace = 0.1
    begun.push(put('status/initialize'))
    return reports('starting')
  },
  dispensing: () => {
    house.lobby.dispenser.pace = 0.5
    begun.push(house.issue('101'))
    return reports('dispensing')
  },
  encoding: () => {
    house.lobby.encoder.pace = 20
    begun.push(house.issue('101'))
    return reports('encoding')
  },
  presenting: async () => {
    house.lobby.dispenser.takenAfterMs = null
    await house.issue('101')
    return reports('presenting')
  },
  capturing: async () => {
    await put('place-card/encoder')
    house.lobby.dispenser.pace = 0.5
    begun.push(put('place-card/capture'))
    return reports('capturing')
  },
  offline: async () => {
    const { misbehaviours } = house.lobby.dispenser
    misbehaviours.push(...always('status', 'silence'), ...always('initialise-leave', 'silence'))
    return reports('offline')
  },
  fault: async () => {
    house.lobby.dispenser.card = blankCards(1, null, 'classic')[0]!
    house.lobby.dispenser.at = 'encoder'
    house.lobby.dispenser.binCapacity = 0
    await put('status/initialize')
    return reports('fault')
  },
}

const states = ['active', 'inactive', 'accepting', 'maintenance', 'initialize']
const places = ['encoder', 'chip', 'front', 'eject', 'hold', 'capture', 'stacker']
const commands = [
  ...states.map((state) => `status/${state}`),
  ...places.map((place) => `place-card/${place}`),
]

const words: Record<string, string> = {
  done: '204',
  state: '409 dispenser-state',
  busy: '409 dispenser-busy-with-guest',
  none: '409 no-card-in-path',
  model: '422 position-not-supported',
  out: '502 dispenser-inactive',
  away: '502 dispenser-offline',
  full: '502 dispenser-bin-full',
}

/** What each command is answered in each reported state, in the order of the commands above. */
const table: Record<string, string> = {
  //           active inactive accepting maintenance initialize   encoder chip front eject hold capture stacker
  active:
    '      done   done     done      done        done         done    model none  none  none none    model',
  starting:
    '    done   done     done      done        done         done    model none  none  none none    model',
  inactive:
    '    done   done     state     done        done         out     out   none  none  none none    model',
  maintenance:
    ' done   done     state     done        done         out     out   none  none  none none    model',
  accepting:
    '   done   done     done      done        done         out     out   none  none  none none    model',
  dispensing:
    '  done   busy     busy      done        busy         busy    busy  busy  busy  busy busy    busy',
  encoding:
    '    done   busy     busy      done        busy         busy    busy  busy  busy  busy busy    busy',
  presenting:
    '  done   busy     busy      done        busy         busy    busy  done  busy  busy busy    busy',
  capturing:
    '   done   busy     busy      done        busy         busy    busy  busy  busy  busy busy    busy',
  offline:
    '     done   done     away      done        away         away    away  away  away  away away    away',
  fault:
    '       full   done     full      done        full         full    full  full  full  full full    full',
}

afterEach(async () => {
  const { dispenser, encoder } = house.lobby
  dispenser.misbehaviours.length = 0
  dispenser.pace = encoder.pace = 0
  dispenser.takenAfterMs = 0
  dispenser.binCapacity = 1_000
  dispenser.stack.push(...blankCards(2, null, 'classic'))
  await Promise.all(begun.splice(0))
  take(dispenser)
  await until(
    'service',
    () => put('status/active'),
    (answer) => answer === '204',
  )
  if (dispenser.at === 'encoder') await put('status/initialize')
  await until(
    'an idle machine',
    () => house.dispenser(),
    ({ state, cardPosition, online }) => online === true && state === 'active' && cardPosition === 'none',
  )
})

for (const [reported, row] of Object.entries(table)) {
  describe(`while it is ${reported}`, () => {
    for (const [index, word] of row.trim().split(/ +/).entries()) {
      const command = commands[index]!
      it(`${command}: ${words[word]}`, async () => {
        await into[reported]!()
        const { commandedState } = await house.dispenser()
        const before = house.lobby.dispenser.bin.length
        assert.equal(await put(command), words[word])
        const [kind, wanted] = command.split('/')
        const after = (await house.dispenser()).commandedState
        const isTaken = kind === 'status' && wanted !== 'initialize' && word === 'done'
        assert.equal(after, isTaken ? wanted : commandedState)
        if (word === 'busy')
          assert.equal(house.lobby.dispenser.bin.length, before, 'nothing was captured by it')
      })
    }
  })
}
