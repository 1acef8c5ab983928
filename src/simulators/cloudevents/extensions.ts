import type {
  ExtensionInvoked,
  ExtensionReplied,
} from '../../pms/adapters/cloudevents/messages/message-data.ts'
import type { UnitsByType } from './units.ts'

/** An address at which the PMS reports changes. */
export interface Callback {
  callbackUrl: string
  secret: string
}

const maxCallbacks = 20

/** The answer of an extension of the simulated PMS; `webhooks` registers callbacks in the list. */
export function answerExtension(
  { name, method, body }: ExtensionInvoked,
  units: UnitsByType,
  callbacks: Callback[],
): ExtensionReplied {
  const extensions: Record<string, () => ExtensionReplied> = {
    'GET unit-types': () => ({
      is: 'answered',
      payload: Object.entries(units).map(([code, names]) => ({ code, quantity: names.length })),
    }),
    'POST webhooks': () => registered(body as Partial<Callback> | null, callbacks),
    'DELETE webhooks': () => ({ is: 'answered', payload: { removed: callbacks.splice(0).length } }),
  }
  return extensions[`${method} ${name}`]?.() ?? { is: 'not-implemented' }
}

function registered(body: Partial<Callback> | null, callbacks: Callback[]): ExtensionReplied {
  const { callbackUrl, secret } = body ?? {}
  if (!callbackUrl || !secret) return { is: 'refused', reason: 'callbackUrl and secret are required.' }
  const others = callbacks.filter((each) => each.callbackUrl !== callbackUrl).slice(0, maxCallbacks - 1)
  callbacks.splice(0, callbacks.length, ...others, { callbackUrl, secret })
  return { is: 'answered', payload: { callbackUrl } }
}
