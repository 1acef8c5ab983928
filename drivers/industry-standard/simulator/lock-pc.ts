import type { Misbehaviour } from '../../../src/devices/simulator/misbehaviour.ts'
import type { Clock } from '../../../src/host/clock.ts'

/** A card as it lies on an encoder. */
export interface PcCard {
  /** Hex, in upper case. */
  uid: string
  holds: CardContent | null
}

/** What a guest's card holds. `issue` is the room's number of guests when the card was made. */
export interface CardContent {
  rooms: { name: string; issue: number }[]
  copy: number
  opensOnce: boolean
  granted: string
  denied: string
  /** As the lock's clock shows it, YYYYMMDDHHmm; an empty expiry is that of the guest. */
  start: string
  expiry: string
  operator: string
}

export interface PcRoom {
  issue: number
  copies: number
  isCheckedIn: boolean
  isOutOfService: boolean
  /** Another station makes a card for it. */
  isTaken: boolean
  onceCards: number
}

export interface PcEncoder {
  isOnline: boolean
  card: PcCard | null
  task: PcTask | null
}

/** What an encoder is at: it waits for a card, and then works on it. */
interface PcTask {
  begin(card: PcCard): void
  /** Ends it without a card. */
  callOff(): void
}

/**
 * The PC of a lock system with its rooms, its encoders and the cards that it made. Plain: whoever holds it may change
 * anything at any time. It knows nothing of who asks it, and outlives every wire.
 */
export interface LockPc {
  rooms: Map<string, PcRoom>
  encoders: Map<number, PcEncoder>
  /** All cards that were ever made, by their serial numbers. */
  cards: Map<string, PcCard>
  clock: Clock
  /** What its clock shows, YYYYMMDDHHmm. */
  shown(): string
  dateFormat: 'HHDDMMYY' | 'HHmmDDMMYY'
  /** Where a login is required, `user:password`. */
  login: string | null
  tellsUid: boolean
  knowsReset: boolean
  /**
   * Gives the card that lies on an encoder when one is to be made, in place of none or of one that was made before; null
   * when there are no more. Where it is null itself, hands lay cards down.
   */
  nextCard: (() => PcCard | null) | null
  /** How long an encoder waits for a card. */
  cardWaitMs: number
  /** How long the making of a card takes. */
  pace: number
  onceCardsMost: number
  /** ENQ is answered with NAK. */
  isBusy: boolean
  /** It is while an encoder is at work, too. */
  isBusyAtWork: boolean
  /** So many requests are answered with NAK. */
  naks: number
  /** So many requests are carried out without an ACK. */
  lostAcks: number
  /** Results carry 0D in place of their LRC. */
  skipsLrc: boolean
  /** Every byte is written by itself. */
  splits: boolean
  /** ACK waits for the result, and both leave in one piece. */
  joins: boolean
  /** A result whose wire is gone leaves on the newest one, as on a serial line that was plugged in again. */
  answersOnNewest: boolean
  /** What is done with the next results, EX's apart, in place of sending them at once. */
  instead: ((send: () => void, dropLine: () => void) => void)[]
  /** `at` is a command in two letters, or ENQ. */
  misbehaviours: Misbehaviour[]
  /** The requests that were read, as text with `|` for the separator. */
  requests: string[]
  /** The open wires, the newest last. */
  wires: ((bytes: Uint8Array) => void)[]
}

/** A lock PC that behaves well unless told otherwise, without any card on its encoders. */
export function lockPc(given: {
  rooms: readonly string[]
  encoders: readonly number[]
  clock: Clock
  shown(): string
  options?: Partial<LockPc>
}): LockPc {
  const { rooms, encoders, clock, shown, options = {} } = given
  return {
    rooms: new Map(rooms.map((name) => [name, freshRoom()])),
    encoders: new Map(encoders.map((number) => [number, { isOnline: true, card: null, task: null }])),
    cards: new Map(),
    clock,
    shown,
    dateFormat: 'HHDDMMYY',
    login: null,
    tellsUid: true,
    knowsReset: true,
    nextCard: null,
    cardWaitMs: 20_000,
    pace: 0,
    onceCardsMost: 3,
    isBusy: false,
    isBusyAtWork: false,
    naks: 0,
    lostAcks: 0,
    skipsLrc: false,
    splits: false,
    joins: false,
    answersOnNewest: false,
    instead: [],
    misbehaviours: [],
    requests: [],
    wires: [],
    ...options,
  }
}

function freshRoom(): PcRoom {
  return { issue: 0, copies: 0, isCheckedIn: false, isOutOfService: false, isTaken: false, onceCards: 0 }
}

/** Lays a card on an encoder, which may have waited for one. */
export function lay(pc: LockPc, number: number, card: PcCard): void {
  const encoder = pc.encoders.get(number)
  if (!encoder) return
  encoder.card = card
  encoder.task?.begin(card)
}

export function lift(pc: LockPc, number: number): PcCard | null {
  const encoder = pc.encoders.get(number)
  const card = encoder?.card ?? null
  if (encoder) encoder.card = null
  return card
}

/** The cards that open a room now, by their serial numbers; `at` is what the clock shows. */
export function opening(pc: LockPc, room: string, at: string = pc.shown()): string[] {
  return [...pc.cards.values()].filter((card) => opens(pc, card, room, at)).map(({ uid }) => uid)
}

/** The cards that are made for a room and its present guest, whatever the time. */
export function cardsFor(pc: LockPc, room: string): PcCard[] {
  const { issue, isCheckedIn } = pc.rooms.get(room) ?? freshRoom()
  return [...pc.cards.values()].filter(
    ({ holds }) =>
      (isCheckedIn || holds?.opensOnce === true) &&
      holds?.rooms.some((each) => each.name === room && each.issue === issue),
  )
}

/** Holds a card to a door; one that opens once is spent by it. */
export function present(pc: LockPc, room: string, uid: string): boolean {
  const card = pc.cards.get(uid)
  if (!card || !opens(pc, card, room, pc.shown())) return false
  if (card.holds?.opensOnce) card.holds = null
  return true
}

function opens(pc: LockPc, card: PcCard, room: string, at: string): boolean {
  const { holds } = card
  if (!holds || !cardsFor(pc, room).includes(card)) return false
  return holds.start <= at && (holds.expiry === '' || at <= holds.expiry)
}
