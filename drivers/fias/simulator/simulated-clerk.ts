import type { Clock } from '../../../src/host/clock.ts'
import { type Misbehaviour, misbehaviourFor } from '../../../src/simulators/devices/misbehaviour.ts'
import { pms, type SimulatedFiasPms } from './pms-simulator.ts'
import { type FrontDesk, frontDesk } from './simulated-front-desk.ts'

/** The commands for a simulated PMS, and the errors that it can make. */
export const simulatedPmsWord = 'fias-pms'
export const simulatedPmsRequests = ['DR']

const keyMs = 130_000
const help = [
  'in G# ROOM YYMMDD YYMMDD LAST [FIRST] [shared]   a guest checks in',
  'name G# LAST [FIRST]                             his name was wrong',
  'move G# ROOM                                     he moves',
  'out G#                                           he checks out',
  'key G# [copy] [ENCODER]                          his key is ordered, of encoder 1 unless said otherwise',
  'end G#                                           his keys are taken away',
  'maid ROOM 1-6                                    what the maid says',
  'swap, drop, list',
]

/** A simulated PMS and its clerk. */
export function simulatedClerk(clock: Clock) {
  const system = pms({ clock })
  const desk = frontDesk(system)
  const misbehaviours: Misbehaviour[] = []
  const answered = system.requested
  system.requested = (record) => {
    const deed = misbehaviourFor(record.id, misbehaviours)?.does
    if (deed === 'close') system.drop()
    else if (deed !== 'silence') answered(record)
  }

  const words = wordsOf(system, desk)

  return {
    misbehaviours,
    /** Executes the line; returns the text of the result. */
    async act(line: string): Promise<string> {
      const [word = '', ...args] = line.trim().split(/\s+/)
      if (word === '') return ''
      return (Object.hasOwn(words, word) && (await words[word]?.(...args))) || help.join('\n')
    },
    play: system.play,
  }
}

/** What the clerk does at each word of a command. */
function wordsOf(
  system: SimulatedFiasPms,
  desk: FrontDesk,
): Record<string, (...args: string[]) => string | Promise<string>> {
  return {
    in(number = '', RN = '', GA = '', GD = '', GN = '', GF = '', shared = '') {
      const isShared = shared === 'shared' || GF === 'shared'
      const first = GF === 'shared' ? '' : GF
      desk.checkIn({ 'G#': number, RN, GA, GD, GN, GF: first, GL: 'EA', GS: isShared ? 'Y' : 'N' })
      return `${number} is in ${RN}`
    },
    name: (number = '', GN = '', GF = '') =>
      known(number, () => desk.change(number, { GN, ...(GF && { GF }) })),
    move: (number = '', room = '') => known(number, () => desk.move(number, room)),
    out: (number = '') => known(number, () => desk.checkOut(number)),
    key(number = '', ...more) {
      const encoder = more.find((word) => word !== 'copy') ?? '1'
      return ordered(system, desk, ['KR', number], { KC: encoder, KT: more.includes('copy') ? 'D' : 'N' })
    },
    end: (number = '') => ordered(system, desk, ['KD', number], { KC: '1' }),
    maid(room = '', status = '') {
      desk.maid(room, status)
      return `${room} is ${status}`
    },
    swap() {
      desk.swap()
      return `${desk.guests.size} guests`
    },
    drop() {
      system.drop()
      return 'the line is cut'
    },
    list: () =>
      [...desk.guests].map(([number, { RN, GN }]) => `${number} ${RN} ${GN}`).join('\n') || 'nobody',
  }

  function known(number: string, deed: () => void): string {
    if (!desk.guests.has(number)) return `there is no ${number}`
    deed()
    return 'sent'
  }
}

/** Orders something about a guest's key, and returns the answer as text. */
async function ordered(
  system: SimulatedFiasPms,
  desk: FrontDesk,
  [id, number]: [id: string, number: string],
  more: Record<string, string>,
): Promise<string> {
  const { RN = '', GD = '', GA = '' } = desk.guests.get(number) ?? {}
  const requested = { RN, 'G#': number, WS: 'CLERK', ...(id === 'KR' && { GA, GD }), ...more }
  const answer = await system.ask(id, requested, keyMs)
  if (typeof answer === 'string') return answer === 'gone' ? 'nobody is connected' : 'no answer'
  const { AS = '', CT = '', $2 = '' } = answer.fields
  return [AS, CT, $2].filter((word) => word !== '').join(' ')
}
