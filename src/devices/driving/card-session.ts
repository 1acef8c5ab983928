import { DeviceFault } from '../fault.ts'

/** The card that `find` selected. It is the only one the other methods act on. */
export interface SelectedCard {
  uid: Uint8Array
  /**
   * The number of writes sent when the card was found. If the number has grown since, the card may have been changed.
   */
  writesBefore: number
  /** True when the card has left or another card lies there. It stays true until `find` selects a card again. */
  hasLeft: boolean
}

/** What a card holds after a write that was refused. `unclear`: the card cannot be read back. */
export type Held = 'written' | 'unwritten' | 'unclear'

/**
 * A write that failed according to the encoder. The card may hold it all the same, because its acknowledgement may have
 * been lost on the air.
 */
interface DoubtfulWrite {
  /** The command. */
  name: string
  /** The encoder's result, in one word. */
  answer: 'failed' | 'refused'
  code: { vendorCode?: string }
  /** Reads the card, which has been selected again, and compares. */
  holds(): Promise<Held>
  /** The detail of the fault when the write is not on the card. */
  detail(held: Held): string
}

export type CardSession<Card extends SelectedCard> = ReturnType<typeof cardSession<Card>>

interface CardSessionOptions<Card extends SelectedCard> {
  /** Selects the card that lies there and returns its serial number; null when there is none. */
  select(card: Card): Promise<Uint8Array | null>
  /** The number of writes sent so far. */
  writesSent(): number
  /** Whether the encoder itself reports that it has released the card. */
  hasLeft?(card: Card): boolean
}

/** Keeps the selected card, and detects whether it still lies there. */
export function cardSession<Card extends SelectedCard>(options: CardSessionOptions<Card>) {
  const { select, writesSent, hasLeft = () => false } = options
  let selected: Card | null = null

  /** `card-removed` for a card that was written to, otherwise `no-card`. */
  function lost(card: Card, code: { vendorCode?: string } = {}): DeviceFault {
    if (writesSent() === card.writesBefore)
      return new DeviceFault('no-card', 'the card found before is gone', code)
    return new DeviceFault('card-removed', 'the card is gone, and was written to', code)
  }

  /**
   * Selects the card again, because a card is silent after a refusal. False when it has left or another card lies
   * there.
   */
  async function isBack(card: Card): Promise<boolean> {
    const uid = await select(card)
    card.hasLeft = uid === null || !sameBytes(uid, card.uid)
    return !card.hasLeft
  }

  /** Selects the card again, or rejects with `no-card` or `card-removed`. */
  async function expectBack(card: Card): Promise<void> {
    if (!(await isBack(card))) throw lost(card)
  }

  return {
    /** Selects the card that was found. */
    choose(card: Omit<Card, 'writesBefore' | 'hasLeft'>): Card {
      selected = { ...card, writesBefore: writesSent(), hasLeft: false } as Card
      return selected
    },
    drop(): void {
      selected = null
    },
    /** The selected card. Throws `no-card` or `card-removed` when there is none. */
    current(): Card {
      if (!selected) throw new DeviceFault('no-card', 'no card was found yet')
      selected.hasLeft ||= hasLeft(selected)
      if (selected.hasLeft) throw lost(selected)
      return selected
    },
    isBack,
    expectBack,
    /**
     * Shows a key or a password to the card. A card that was lifted and put back refuses too, so it is selected again
     * after a refusal and gets the key once more. False when it refuses twice. `reselect` replaces `expectBack`.
     */
    async accepts(
      card: Card,
      show: () => Promise<boolean>,
      reselect: (card: Card) => Promise<void> = expectBack,
    ): Promise<boolean> {
      for (let left = 2; left > 0; left--) {
        if (await show()) return true
        await reselect(card)
      }
      return false
    },
    lost,
    /**
     * Resolves when the card holds the write all the same. Rejects with a DeviceFault: `encoder-timeout-writing` when the
     * encoder no longer answers, `card-write-protected` when the card provably does not hold the write, otherwise
     * `card-verify-failed`.
     */
    async resolveDoubt(card: Card, { name, answer, code, holds, detail }: DoubtfulWrite): Promise<void> {
      const silent = (cause: unknown): never => {
        const text = `${name}: ${answer}, then no answer`
        throw new DeviceFault('encoder-timeout-writing', text, { ...code, cause })
      }
      if (card.hasLeft || !(await isBack(card).catch(silent))) throw lost(card, code)
      const held = await holds().catch(silent)
      if (held === 'written') return
      const fault = held === 'unwritten' ? 'card-write-protected' : 'card-verify-failed'
      throw new DeviceFault(fault, `${name}: ${detail(held)}`, code)
    },
  }
}

/** The pages before this one hold lock bits and one-time bits, which do not become equal to what is written to them. */
export const firstUserPage = 4

/** Compares what was read back with what was to be written; null is what cannot be read. */
export function heldOf(read: Uint8Array | null, wanted: Uint8Array): Held {
  if (read === null) return 'unclear'
  return sameBytes(read.subarray(0, wanted.length), wanted) ? 'written' : 'unwritten'
}

/** Whether two runs of bytes are the same. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other)
}
