import type { MessageCode } from '../jsonapi/locales/message.ts'
import type { CloudEvent } from './cloud-event.ts'
import { typesIn } from './event-filter.ts'
import type { Published } from './journal-event.ts'

/**
 * The events at which a person of the hotel must act at once, with the sentence of each for a phone; null for one at which nothing
 * is to be done. A sentence names a kiosk, a device or a room: no guest.
 */
const sentences: Readonly<Record<string, (data: Published) => MessageCode | null>> = {
  'help-call.made': ({ failure }) => (failure === 'guest-asks' ? 'phone-help-asked' : 'phone-help-needed'),
  'stay.handed-over': () => 'phone-guest-at-desk',
  'stay.payment-in-doubt': () => 'phone-payment-in-doubt',
  'dispenser.state-changed': ({ state }) =>
    state === 'offline' ? 'phone-device-offline' : state === 'fault' ? 'phone-dispenser-fault' : null,
  'dispenser.jammed': () => 'phone-dispenser-jammed',
  'dispenser.stacker-empty': () => 'phone-dispenser-empty',
  'dispenser.bin-full': () => 'phone-dispenser-bin-full',
  'card.left-at-gate': () => 'phone-card-left',
  'controller.offline': () => 'phone-device-offline',
}

/** The types of events that have a sentence for a phone. */
export const phoneTypes: readonly string[] = Object.keys(sentences)

/** Returns the code of the sentence that a phone gets of an event; null for one that it does not get. */
export function sentenceOf({ type, data }: CloudEvent<Published>): MessageCode | null {
  return (Object.hasOwn(sentences, type) && sentences[type]!(data)) || null
}

/** Whether a type, a family of types or `*` has an event with a sentence for a phone. */
export function isForPhone(pattern: string): boolean {
  return phoneTypes.some(typesIn([pattern]))
}
