import type { Clock } from '../../host/clock.ts'
import type { SimulatedAntenna, SimulatedCard } from './simulated-card.ts'

/**
 * Where the cards of a simulated dispenser are: the stacker, the path, the bin, and the guest's hand. It outlives the
 * wire: a card stays where it is when the cable is unplugged. A card at the encoder lies on the encoder's antenna.
 */
export interface CardPath extends SimulatedAntenna {
  clock: Clock
  /** Blank cards; the first is fed next. */
  stack: SimulatedCard[]
  /** Where `card` is; `none` when there is none. */
  at: 'none' | 'gate' | 'encoder' | 'chip'
  card: SimulatedCard | null
  /** Captured cards, and cards in a guest's hand, in order. */
  bin: SimulatedCard[]
  taken: SimulatedCard[]
  binCapacity: number
  /** With this many cards or fewer the stacker counts as low. */
  lowAt: number
  /** Whether the machine accepts a card that is pushed in at the front. */
  entry: boolean
  /** How long a guest leaves a card at the gate, in ms; null means for ever. */
  takenAfterMs: number | null
  /** Called before a guest has the card. When it throws, the guest does not get it. */
  onTaken?: (card: SimulatedCard) => void
  onCaptured?: (card: SimulatedCard) => void
}

/** An empty path with an empty stacker, unless `options` fill them. */
export function cardPath(options: Partial<CardPath> & Pick<CardPath, 'clock'>): CardPath {
  return {
    stack: [],
    at: 'none',
    card: null,
    bin: [],
    taken: [],
    binCapacity: 50,
    lowAt: 10,
    entry: false,
    takenAfterMs: null,
    cards() {
      return this.at === 'encoder' && this.card ? [this.card] : []
    },
    ...options,
  }
}

/** The guest takes the card from the gate. False when no card is there, and when the guest does not get it. */
export function take(path: CardPath): boolean {
  return path.at === 'gate' && give(path)
}

/** The guest pushes a card in at the front. False when the machine does not accept it. */
export function insert(path: CardPath, card: SimulatedCard): boolean {
  if (!path.entry || path.card) return false
  path.card = card
  path.at = 'encoder'
  return true
}

/** Schedules the guest who takes the card from the gate. */
export function guestComes(path: CardPath): void {
  const { card, takenAfterMs } = path
  if (takenAfterMs === null || path.at !== 'gate') return
  const comes = () => {
    if (path.card === card && path.at === 'gate') give(path)
  }
  path.clock.setTimeout(comes, takenAfterMs).unref()
}

/** Makes sure that a card is in the path, and feeds one from the stacker if necessary. False when there is none. */
export function feed(path: CardPath): boolean {
  path.card ??= path.stack.shift() ?? null
  return path.card !== null
}

/** Moves the card into the guest's hand. False when the guest does not get it: it waits at the gate then, as one that is left there. */
export function give(path: CardPath): boolean {
  if (!path.card) return false
  path.at = 'gate'
  try {
    path.onTaken?.(path.card)
  } catch {
    return false
  }
  path.taken.push(lift(path)!)
  return true
}

/** Drops the card of the path into the bin; nothing without a card. */
export function capture(path: CardPath): void {
  const card = lift(path)
  if (!card) return
  path.bin.push(card)
  path.onCaptured?.(card)
}

/** Puts the card back into the stacker, behind the others. */
export function putBack(path: CardPath): void {
  const card = lift(path)
  if (card) path.stack.push(card)
}

/** Whether the bin takes no further card. */
export function isFull({ bin, binCapacity }: CardPath): boolean {
  return bin.length >= binCapacity
}

/** What the sensors of the stacker say of its cards. */
export function supply({ stack, lowAt }: CardPath): 'empty' | 'low' | 'enough' {
  return stack.length === 0 ? 'empty' : stack.length <= lowAt ? 'low' : 'enough'
}

function lift(path: CardPath): SimulatedCard | null {
  const { card } = path
  path.card = null
  path.at = 'none'
  return card
}
