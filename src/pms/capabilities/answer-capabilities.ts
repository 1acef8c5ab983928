import { DeviceFault } from '../../devices/fault.ts'
import type { Bus } from '../../events/bus.ts'
import { capabilitiesSchema, plainAnswer } from '../answers.ts'
import type { Capabilities } from '../contract.ts'
import type { Session } from '../session.ts'
import {
  type CapabilitiesRepliedEvent,
  type CapabilitiesRequestedEvent,
  capabilitiesReplied,
  capabilitiesRequested,
  subjectOf,
} from './capability-events.ts'

/** The maximum validity, whatever the adapter states. */
const maxTtlSeconds = 1_800

const actor = { by: 'capabilities', requestId: null }

/** Asks the adapter that an event names, and publishes its reply. Returns a function that ends this. */
export function answerCapabilities(
  bus: Bus,
  sessionOf: (configurationId: string) => Session | null,
): () => void {
  return bus.subscribe(capabilitiesRequested, async ({ data }) => {
    const { requestId, configurationId, adapter } = data as CapabilitiesRequestedEvent
    const session = sessionOf(configurationId)
    if (!session) return
    const reply = await replyOf(requestId, adapter, session)
    if (reply) bus.publish(capabilitiesReplied, subjectOf(configurationId), reply)
  })
}

async function replyOf(
  requestId: string,
  adapter: string,
  session: Session,
): Promise<CapabilitiesRepliedEvent | null> {
  try {
    const answer = await session.ask({ what: 'capabilities', changes: false }, (open, signal) =>
      open.capabilities({ signal, actor }),
    )
    const plain = await plainAnswer<Capabilities>(adapter, capabilitiesSchema, answer)
    const { ttlSeconds = maxTtlSeconds, ...capabilities } = plain
    return { requestId, capabilities, ttlSeconds: Math.min(ttlSeconds, maxTtlSeconds) }
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    if (error.code === 'adapter-timeout') return null
    return { requestId, errorCode: error.code, detail: error.message }
  }
}
