import type { CardContent, CardFormat, FoundCard, Grant } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import { Problem } from '../../resource/problem.ts'
import type { KeyBegun } from '../keys/begin-key.ts'
import { grantOf, type KeyOrder } from '../keys/key-order.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { type Antenna, antennaInUse } from './antenna.ts'
import { bothHeard } from './both-heard.ts'
import { awaitCard, prove, uidText } from './card-in-field.ts'
import type { Progress, Station } from './issue-card.ts'
import { noting } from './noting.ts'

/** A card that holds its key. */
export interface MadeCard {
  /** Its serial number; null where the lock system did not tell it. */
  uid: string | null
  cardFormat: Exclude<CardFormat, 'unknown'> | null
  /** Read back, and found to be what was asked for. */
  verified: boolean
  /** What the lock system calls it. */
  reference: string | null
}

/** The step of a card's way on which it becomes a key: by our own encoder, or by one of the lock system. */
export interface CardMaker {
  /** Null when a card can say the key; otherwise what stands in the way. */
  problem(begun: KeyBegun): string | null
  /** Before a card is fed: what the antenna sees now would be written instead of it. */
  expectEmpty(): Promise<void>
  /** Makes the card that lies there a key, and proves it. No byte is written before `writing` has reached the disk. */
  encode(begun: KeyBegun, writing: (uid: string | null) => Promise<void>): Promise<MadeCard>
  /** Our antenna, for who erases the card that lies there; null where only the lock system has one. */
  antenna: Antenna | null
  /** Whether the card that was placed at the encoder may be written: a blank one, or one that nobody needs any more. */
  isUsable(): Promise<boolean>
  /** The card is in a hand now. */
  handed(uid: string | null): void
}

/** How long a fed card may take to be found on the antenna. */
const cardSettlesMs = 2_000

interface MakerOptions {
  station: Station
  order: KeyOrder
  progress: Progress
  /** Whether the card comes from a dispenser instead of a hand. */
  isFed: boolean
  /** Throws a Problem for a card that must not be overwritten. */
  expectOverwritable(grant: Grant, uid: string): void
}

/** Our own encoder: the rights are written to the card and read back from it. */
export function encoderMaker(options: MakerOptions): CardMaker {
  const { station, order, progress, isFed, expectOverwritable } = options
  const { encoder, system, desk, controller, clock } = station

  async function handedCard(): Promise<FoundCard> {
    const card = await awaitCard(clock, encoder, handTakesMs(controller), desk)
    expectUnneeded(card, await system.read(encoder, card))
    return card
  }

  /** Throws foreign-card for a card of the staff, or of a guest who needs it. */
  function expectUnneeded(card: FoundCard, { grant }: CardContent): void {
    if (grant?.usage === 'Staff')
      throw new Problem('foreign-card', 'The card is one of the staff; it was left as it is.')
    if (grant) expectOverwritable(grant, uidText(card))
  }

  return {
    problem: (begun) => system.grantProblem(grantOf(order, begun)),

    async expectEmpty() {
      if (await encoder.find())
        throw new DeviceFault('multiple-cards', 'A card lies on the encoder before one was fed.')
    },

    async encode(begun, writing) {
      const grant = grantOf(order, begun)
      const card = isFed ? await awaitCard(clock, encoder, cardSettlesMs) : await handedCard()
      expectAwaited(progress)
      // What is on the card is read while the journal line is on its way to the disk; the first write waits for it.
      const noted = writing(uidText(card))
      const touched = async () => {
        await noted
        if (progress.step === 'searching') expectAwaited(progress)
        progress.step = 'writing'
      }
      await bothHeard(noted, system.write(noting(encoder, touched), card, grant))
      progress.step = 'proving'
      // A desk may be told not to wait for it; a dispenser presents nothing unproven.
      const verified = isFed || controller.verifyAfterWrite !== false
      if (verified) await prove(system, encoder, card, grant)
      await encoder.off()
      expectAwaited(progress)
      const { format } = card
      const cardFormat = format === 'unknown' ? null : format
      return { uid: uidText(card), cardFormat, verified, reference: null }
    },

    antenna: antennaInUse(controller.providerId, { encoder, system }),

    async isUsable() {
      try {
        const card = await encoder.find()
        if (!card) return false
        const content = await system.read(encoder, card)
        expectUnneeded(card, content)
        return content.defect !== 'foreign'
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

/** An answer without a card has left: who got it asks again, and must not find two cards. */
export function expectAwaited({ late, step }: Progress): void {
  if (late)
    throw new DeviceFault(step === 'queued' ? 'encoder-busy' : 'encoder-timeout', 'Nobody waits any more.')
}

/** A hand may need a while to lay a card down; its answer still has to leave in time. */
function handTakesMs({ timeoutMs }: AccessController): number {
  const limit = timeoutMs ?? 18_000
  return Math.max(limit / 2, limit - 3_000)
}
