import { DeviceFault } from '../fault.ts'

/** The card that `find` selected. It is the only one the other methods act on. */
export interface SelectedCard {
  uid: Uint8Array
  /** How many writes had left when the card was found: any more, and it may have been changed since. */
  writesBefore: number
  /** It is gone, or another lies there. It stays so until a card is found anew. */
  hasLeft: boolean
}

/** What a card holds after a write that was refused. `unclear` when it cannot be read back. */
export type Held = 'written' | 'unwritten' | 'unclear'

/** A write that the encoder says has failed. That proves nothing: its acknowledgement may have been lost in the air. */
interface DoubtfulWrite {
  /** The command. */
  name: string
  /** What the encoder says of it, in one word. */
  said: 'failed' | 'refused'
  code: { vendorCode?: string }
  /** Looks at the card, which has been selected anew. */
  holds(): Promise<Held>
  /** What is told of a write that is not on the card. */
  detail(held: Held): string
}

export interface CardSession<Card extends SelectedCard> {
  /** Selects the card that was found. */
  choose(card: Omit<Card, 'writesBefore' | 'hasLeft'>): Card
  drop(): void
  /** Throws `no-card` or `card-removed` when there is none. */
  current(): Card
  /** After a refusal a card falls silent. Selects it again; false when it is gone or another lies there. */
  isBack(card: Card): Promise<boolean>
  /** Selects the card again, or rejects with `no-card` or `card-removed`. */
  expectBack(card: Card): Promise<void>
  /** `card-removed` for a card that was written to, otherwise `no-card`. */
  lost(card: Card, code?: { vendorCode?: string }): DeviceFault
  /**
   * Resolves when the card holds the write all the same. Rejects with a DeviceFault: `encoder-timeout-writing` when nobody
   * answers any more, `card-write-protected` when it is proven not to be there, else `card-verify-failed`.
   */
  resolveDoubt(card: Card, write: DoubtfulWrite): Promise<void>
}

interface CardSessionOptions<Card extends SelectedCard> {
  /** The serial number of the card that lies there, which is selected by it; null for none. */
  select(card: Card): Promise<Uint8Array | null>
  /** How many writes have left so far. */
  writesSent(): number
  /** Whether the encoder knows by itself that it has let go of the card. */
  hasLeft?(card: Card): boolean
}

/** Which card the methods act on, and whether it still lies there. */
export function cardSession<Card extends SelectedCard>(options: CardSessionOptions<Card>): CardSession<Card> {
  const { select, writesSent, hasLeft = () => false } = options
  let selected: Card | null = null

  function lost(card: Card, code: { vendorCode?: string } = {}): DeviceFault {
    if (writesSent() === card.writesBefore)
      return new DeviceFault('no-card', 'the card found before is gone', code)
    return new DeviceFault('card-removed', 'the card is gone, and was written to', code)
  }

  async function isBack(card: Card): Promise<boolean> {
    const uid = await select(card)
    card.hasLeft = uid === null || !sameBytes(uid, card.uid)
    return !card.hasLeft
  }

  return {
    choose(card) {
      selected = { ...card, writesBefore: writesSent(), hasLeft: false } as Card
      return selected
    },
    drop() {
      selected = null
    },
    current() {
      if (!selected) throw new DeviceFault('no-card', 'no card was found yet')
      selected.hasLeft ||= hasLeft(selected)
      if (selected.hasLeft) throw lost(selected)
      return selected
    },
    isBack,
    async expectBack(card) {
      if (!(await isBack(card))) throw lost(card)
    },
    lost,
    async resolveDoubt(card, { name, said, code, holds, detail }) {
      const silent = (cause: unknown): never => {
        const text = `${name}: ${said}, then no answer`
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

/** Pages before it hold lock bits and one-time bits, which do not become what is written to them. */
export const firstUserPage = 4

/** What was read back, held against what was to be written; null for what cannot be read. */
export function heldOf(read: Uint8Array | null, wanted: Uint8Array): Held {
  if (read === null) return 'unclear'
  return sameBytes(read.subarray(0, wanted.length), wanted) ? 'written' : 'unwritten'
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other)
}
