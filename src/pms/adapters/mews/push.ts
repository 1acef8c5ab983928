import { DeviceFault } from '../../../devices/fault.ts'
import type { Clock } from '../../../host/clock.ts'
import type { Offer, OfferAnswer, StepResult } from '../../sync-contract.ts'
import { type MewsCall, MewsRefusal } from './client.ts'
import { type CreationParts, creator, stepsAfterCreation } from './creation.ts'
import { type Present, readReservations } from './fetch-reservations.ts'
import type { Lookups } from './lookups.ts'
import { recordedPayments } from './payments.ts'
import type { MewsResource } from './records.ts'
import { roomsOf } from './rooms.ts'
import { carryOutSteps } from './steps.ts'
import { updateAll } from './updates.ts'
import { type Work, workOn } from './work.ts'

interface PushOptions extends CreationParts {
  openBalanceNote: string | null
  inspectsAtCheckIn: boolean
  isInspected(unitName: string): boolean
  clock: Clock
  /** The deadline of a push. */
  timeoutMs: number
}

/** The messages of a push about reservations of Mews, or those about reservations that were made here. */
interface Batch {
  offers: readonly Offer[]
  areMadeHere: boolean
  lookups: Lookups
  /** Whether the time is over in which steps are begun. */
  isLate(): boolean
}

/** The part of the deadline after which nothing else is begun: the rest is for reading what was done. */
const workingTime = 0.7

/**
 * Carries out messages at Mews, first those about reservations that were made here. It reads all reservations, sends dates,
 * rooms and persons in one request, every other step by its own operation, and reads the reservations again. A step that is
 * not begun in time is `unknown`, and sent again. Rejects with the DeviceFault of a request without an answer: what was
 * carried out until then is found in the reservations when the messages are sent again.
 */
export function pushOf(options: PushOptions) {
  const { client, clock, timeoutMs } = options

  return async (offers: readonly Offer[], call: MewsCall): Promise<OfferAnswer[]> => {
    const end = clock.monotonic() + timeoutMs * workingTime
    const isLate = () => clock.monotonic() > end
    const lookups = await lookupsFor(offers, options, call)
    const answers = new Map<string, OfferAnswer>()
    for (const areMadeHere of [true, false]) {
      const some = offers.filter(({ externalId }) => (externalId === null) === areMadeHere)
      if (some.length === 0) continue
      // The next push takes fewer messages then.
      if (isLate()) throw tooMany()
      await carryOut({ offers: some, areMadeHere, lookups, isLate }, answers, call)
    }
    return offers.map(({ id }) => answers.get(id)!)
  }

  /** Adds the answers by the ids of the messages. */
  async function carryOut(batch: Batch, answers: Map<string, OfferAnswer>, call: MewsCall): Promise<void> {
    const { lookups, isLate, areMadeHere } = batch
    const messages = areMadeHere ? await makeAll(options, batch, answers, call) : batch.offers
    const works = await begin(messages, areMadeHere, answers, call)
    const now = client.answeredAt() ?? clock.now()
    const facts = works.flatMap(({ offer }) => offer.facts)
    const recorded = await recordedPayments(facts, { client, now }, call)
    const timeZone = options.timeZone()
    await updateAll(works, { client, lookups, timeZone }, call)
    let fetched: Promise<MewsResource[]> | null = null
    const rooms = () => (fetched ??= roomsOf(client, call))
    const parts = { ...options, lookups, timeZone, now, recorded, rooms }
    for (const work of works) {
      // A reservation that was made here is never left half done.
      if (isLate() && !areMadeHere) work.putOff()
      else await carryOutSteps(work, parts, call)
    }
    const ofWorks = works.map(({ offer }) => offer)
    const after = await read(options, ofWorks, call)
    for (const work of works) {
      const { id, externalId } = work.offer
      answers.set(id, answerOf(work, areMadeHere, after.get(externalId!)))
    }
    if (batch.offers.some(({ id }) => !answers.has(id))) throw tooMany()
  }

  async function begin(
    messages: readonly Offer[],
    areMadeHere: boolean,
    answers: Map<string, OfferAnswer>,
    call: MewsCall,
  ): Promise<Work[]> {
    const present = await read(options, messages, call)
    return messages.flatMap((message) => {
      const { id, externalId } = message
      const before = present.get(externalId!)
      if (!before) answers.set(id, { is: 'refused', reason: `Mews has no reservation ${externalId}.` })
      else if (before instanceof MewsRefusal) answers.set(id, refusal(before))
      else if (!areMadeHere && isNewer(before, message))
        answers.set(id, { is: 'outdated', change: before.change })
      else return workOn(message, before)
      return []
    })
  }
}

/** Makes the reservations, as long as there is time. Returns the messages that bring them to what they are here. */
async function makeAll(
  options: PushOptions,
  { offers, lookups, isLate }: Batch,
  answers: Map<string, OfferAnswer>,
  call: MewsCall,
): Promise<Offer[]> {
  const create = creator({ ...options, lookups })
  const messages: Offer[] = []
  for (const offer of offers) {
    if (isLate()) break
    try {
      messages.push(stepsAfterCreation(offer, await create(offer, call)))
    } catch (error) {
      answers.set(offer.id, refusal(error))
    }
  }
  return messages
}

/** The reservations by their ids; a Refusal for one that cannot be converted. */
async function read(
  options: PushOptions,
  messages: readonly Offer[],
  call: MewsCall,
): Promise<Map<string, Present | MewsRefusal>> {
  const ids = messages.flatMap(({ externalId }) => externalId ?? [])
  if (ids.length === 0) return new Map()
  const { found, refused } = await readReservations(ids, options, call)
  return new Map<string, Present | MewsRefusal>([
    ...found.map((each) => [each.record.Id, each] as const),
    ...refused.map(({ externalId, reason }) => [externalId ?? '', new MewsRefusal(400, reason)] as const),
  ])
}

function answerOf(work: Work, isMadeHere: boolean, after: Present | MewsRefusal | undefined): OfferAnswer {
  const isRead = after !== undefined && !(after instanceof MewsRefusal)
  const { change } = isRead ? after : work.present
  if (work.changedThere !== null && change.revision > (work.offer.baseRevision ?? -1)) {
    return { is: 'outdated', change }
  }
  const results = [...work.results].map(([id, result]): StepResult => ({ id, ...result }))
  // A reservation that was made here is carried out as a whole: what is missing is done when it is sent again.
  const refused = results.find(({ is }) => is === 'refused')
  if (isMadeHere && refused?.is === 'refused') return { is: 'refused', reason: refused.reason }
  const { externalId, revision, value } = change
  const facts = new Set(work.offer.facts.map(({ id }) => id))
  return {
    is: 'accepted',
    externalId,
    revision,
    // What it was before is not what Mews has now.
    ...(isRead && value && { value }),
    // The intents that complete a reservation made here are the adapter's own.
    results: isMadeHere ? results.filter(({ id }) => facts.has(id)) : results,
  }
}

function tooMany(): DeviceFault {
  const detail = 'There was no time for all changes within the rate limit of Mews.'
  return new DeviceFault('adapter-timeout', detail, { outcomeUnknown: true })
}

function isNewer({ change }: Present, { baseRevision }: Offer): boolean {
  return change.revision > (baseRevision ?? -1)
}

/** The answer for a Refusal. Throws any other error. */
function refusal(error: unknown): OfferAnswer {
  if (!(error instanceof MewsRefusal)) throw error
  return { is: 'refused', code: String(error.status), reason: error.message }
}

/** The lookups, refreshed when a room is unknown. */
async function lookupsFor(
  offers: readonly Offer[],
  { lookups }: PushOptions,
  call: MewsCall,
): Promise<Lookups> {
  const known = await lookups.cached(call)
  const names = offers.flatMap(({ value }) => value.stays[0]?.units?.[0]?.unitName ?? [])
  return names.every((name) => known.resourceId(name) !== null) ? known : lookups.refreshed(call)
}
