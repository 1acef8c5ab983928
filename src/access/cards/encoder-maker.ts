import { type CardEncoder, type FoundCard, type Grant, writingOperations } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import { keysOnCard } from '../keys/life/keys-on-card.ts'
import { nameIn, stayBy } from '../keys/life/stay-of-key.ts'
import type { KeyJob } from '../keys/orders/job.ts'
import { grantOf, type KeyBegun } from '../keys/orders/key-order.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { antennaOf } from './antenna.ts'
import type { Station } from './at-encoder.ts'
import { awaitCard, prove, uidText } from './card-in-field.ts'
import type { CardMaker, MadeCard } from './card-maker.ts'

/** The time that a fed card may need to be found on the antenna. */
const cardSettlesMs = 2_000

interface MakerOptions extends KeyJob {
  clock: Clock
  reader: Reader
  station: Station
  /** Whether a dispenser feeds the card; otherwise a person lays it down. */
  isFed: boolean
}

/** Writes keys with an encoder of this appliance: the rights are written to the card and read back from it. */
export function encoderMaker(options: MakerOptions): CardMaker {
  const { station, order, controller } = options
  const { encoder, system, desk } = station
  return {
    problem: (begun) => system.grantProblem(grantOf(order, begun)),

    async expectReady(_, isPlaced) {
      if (!isPlaced && (await encoder.find()))
        throw new DeviceFault(
          'multiple-cards',
          'A card already lies on the encoder, so none was fed. Take it away.',
        )
    },

    encode: (begun, writing) => encode(options, begun, writing),

    antenna: antennaOf(controller.providerId, (work) => work(station)),

    async isUsable() {
      try {
        const card = await encoder.find()
        if (!card) return false
        const { grant, defect } = await system.read(encoder, card)
        expectUnneeded(options, card, grant)
        return defect !== 'foreign'
      } catch (error) {
        if (error instanceof DeviceFault || error instanceof Problem) return false
        throw error
      }
    },

    handed(uid) {
      desk.issued = uid
    },
  }
}

async function encode(
  options: MakerOptions,
  begun: KeyBegun,
  writing: (uid: string | null) => Promise<void>,
): Promise<MadeCard> {
  const { clock, controller, station, order, job, isFed } = options
  const { encoder, system, desk } = station
  const grant = grantOf(order, begun)
  const card = isFed
    ? await awaitCard(clock, encoder, cardSettlesMs)
    : await awaitCard(clock, encoder, handTakesMs(controller), desk)
  if (!isFed) expectUnneeded(options, card, (await system.read(encoder, card)).grant)
  job.expectAwaited()
  // The lock system reads the card while the journal line is written to disk. The first write to the card waits for
  // that line.
  const announced = writing(uidText(card))
  const touched = async () => {
    await announced
    if (job.progress().step === 'searching') job.expectAwaited()
    job.report({ step: 'writing' })
  }
  const written = system.write(announcingWrites(encoder, touched), card, grant)
  // Neither may go on after this function has rejected. The first error counts.
  await Promise.allSettled([announced, written])
  await announced
  await written
  job.report({ step: 'proving' })
  // A front desk may be configured to skip the proof; a dispenser never presents an unproven card.
  const verified = isFed || controller.verifyAfterWrite !== false
  if (verified) await prove(system, encoder, card, grant)
  await encoder.off()
  job.expectAwaited()
  const { format } = card
  return { uid: uidText(card), cardFormat: format === 'unknown' ? null : format, verified, reference: null }
}

/**
 * Throws foreign-card for a card of the staff, and for one with a live key of another guest who is in house. A caller
 * who confirms with the scope keys.override may overwrite the latter.
 */
function expectUnneeded({ reader, order }: MakerOptions, card: FoundCard, grant: Grant | null): void {
  if (grant?.usage === 'Staff')
    throw new Problem('foreign-card', 'The card is a staff card. It was not changed.')
  if (!grant || order.confirmed?.mayOverride) return
  const live = keysOnCard({ reader }, uidText(card), 'live')
  const found = live.find((row) => row.credential === grant.credential && row.stayId)
  const owner = found?.stayId ? (reader.row(stay, found.stayId) as Stay | null) : null
  if (owner?.status !== 'InHouse' || stayBy(reader, nameIn(order.request))?.id === owner.id) return
  throw new Problem(
    'foreign-card',
    'The card is the key of another guest who is in house. It was not changed.',
    { meta: { keyId: found?.id, unitName: found?.unitName, scope: 'keys.override' } },
  )
}

/** The time to lay a card down, in milliseconds: the timeout less 3 s for the answer, but at least half the timeout. */
function handTakesMs({ timeoutMs }: AccessController): number {
  const limit = timeoutMs ?? 18_000
  return Math.max(limit / 2, limit - 3_000)
}

/**
 * Returns the encoder with a hook before each write. Every write first calls `touched` and waits for it. When `touched`
 * rejects, the write is not sent and the card keeps its content.
 */
export function announcingWrites(encoder: CardEncoder, touched: () => Promise<void>): CardEncoder {
  const { desfire } = encoder
  return {
    ...announced(encoder, writingOperations.encoder, touched),
    ...(desfire && { desfire: announced(desfire, writingOperations.desfire, touched) }),
  }
}

function announced<Device extends object>(
  device: Device,
  operations: readonly (keyof Device)[],
  touched: () => Promise<void>,
): Device {
  const announcing = { ...device }
  for (const name of operations) {
    const operation = device[name] as (...parameters: unknown[]) => unknown
    announcing[name] = (async (...parameters: unknown[]) => {
      await touched()
      return operation(...parameters)
    }) as Device[typeof name]
  }
  return announcing
}
