import type { SimulatedOutcome, SimulatedPms } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import type { Passing, Verdict } from '../../../pms/adapters/cloudevents/mqtt/broker/broker-link.ts'
import type { MqttBroker } from '../../../pms/adapters/cloudevents/mqtt/broker/mqtt-broker.ts'

/**
 * A moment as whoever is at the other end of the line sees it. `arrives`: it was sent, and nothing was done about it; `done`: it
 * was carried out, and nothing of what it says to that was sent; `half`: half of the bytes were; `answered`: all of them.
 */
export interface Moment {
  of: 'request' | 'events' | 'news' | 'entrance'
  /** The n-th of them from when it was set; the first is 1. */
  nth: number
  when: 'arrives' | 'done' | 'half' | 'answered'
}

/** Kills a house at a moment of its exchange with the PMS. */
export interface PowerCuts {
  /** The next one; null for none. */
  at(moment: Moment | null): void
}

function counter() {
  let waited: Moment | null = null
  let seen = 0
  return {
    at(moment: Moment | null) {
      waited = moment
      seen = 0
    },
    /** What is to be done at this one; a moment comes once. */
    due(of: Moment['of'], whens: readonly Moment['when'][]): Moment['when'] | null {
      if (waited?.of !== of || !whens.includes(waited.when) || ++seen !== waited.nth) return null
      const { when } = waited
      waited = null
      return when
    },
  }
}

const all = ['arrives', 'done', 'half', 'answered'] as const

/** Of a PMS behind an HTTP server; nothing comes from it that was not asked for. */
export function cutsOverHttp(pms: SimulatedPms, kill: () => void): PowerCuts {
  const { at, due } = counter()
  const { answer, take } = pms

  async function passing(of: Moment['of'], work: () => Promise<SimulatedOutcome>): Promise<SimulatedOutcome> {
    const when = due(of, all)
    if (when === 'arrives') kill()
    const outcome = when === 'arrives' ? unanswered : await work()
    if (when === 'done') kill()
    if (when === 'arrives' || when === 'done') return unanswered
    // By then it has been handed to the system.
    if (when) setImmediate(kill)
    return when === 'half' ? { ...outcome, fault: { at: '*', does: 'half' } } : outcome
  }

  pms.answer = (request) => passing('request', () => answer(request))
  pms.take = (events) => passing('events', () => take(events))
  return { at }
}

const unanswered: SimulatedOutcome = { reply: null, deed: 'silence', fault: { at: '*', does: 'silence' } }

/** Of a PMS at a broker: by the packets of the house. */
export function cutsOverMqtt(broker: MqttBroker, kill: () => void): PowerCuts {
  const { at, due } = counter()
  const underWay = new Set<number>()

  /** What it is a packet of, and the moments that begin with it. */
  function kindOf({ packet, direction }: Passing): [Moment['of'], readonly Moment['when'][]] | null {
    const isIn = direction === 'in'
    if (packet.cmd === 'connect' || packet.cmd === 'subscribe') return ['entrance', ['arrives']]
    if (packet.cmd === 'connack' || packet.cmd === 'suback') return ['entrance', ['done', 'half', 'answered']]
    if (packet.cmd === 'puback' && !isIn && underWay.delete(packet.messageId ?? 0))
      return ['events', ['done', 'answered']]
    if (packet.cmd !== 'publish') return null
    if (!isIn) {
      const isReply = packet.topic.includes('/replies/')
      return [isReply ? 'request' : 'news', ['done', 'half', 'answered']]
    }
    if (packet.topic.includes('/requests/')) return ['request', ['arrives']]
    if (!packet.topic.includes('/events/')) return null
    underWay.add(packet.messageId ?? 0)
    return ['events', ['arrives']]
  }

  function judge(passing: Passing): Verdict {
    const kind = passing.clientId.startsWith('nightporter-') ? kindOf(passing) : null
    const when = kind && due(...kind)
    if (!when) return 'pass'
    if (when === 'arrives' || when === 'done') {
      kill()
      return 'lose'
    }
    setImmediate(kill)
    return when === 'half' ? 'half' : 'pass'
  }

  return {
    at(moment) {
      at(moment)
      broker.judge = judge
    },
  }
}
