import type { Clock } from '../../../src/host/clock.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'

/** A card on an encoder. */
export interface PcCard {
  /** Hex, in upper case. */
  uid: string
  holds: PcCardContent | null
}

/** The content of a guest's card. `issue` is the room's number of guests when the card was made. */
export interface PcCardContent {
  rooms: { name: string; issue: number }[]
  copy: number
  opensOnce: boolean
  granted: string
  denied: string
  /** Local times of the lock, YYYYMMDDHHmm; an empty expiry means that of the guest. */
  start: string
  expiry: string
  operator: string
}

export interface PcRoom {
  issue: number
  copies: number
  isCheckedIn: boolean
  isOutOfService: boolean
  /** True while another station makes a card for it. */
  isTaken: boolean
  onceCards: number
}

export interface PcEncoder {
  isOnline: boolean
  card: PcCard | null
  task: PcTask | null
}

/** The work of an encoder: it waits for a card, and then writes it. */
interface PcTask {
  begin(card: PcCard): void
  /** Ends the work without a card. */
  callOff(): void
}

/**
 * The PC of a lock system with its rooms, its encoders and the cards that it made. A test may change its fields at any
 * time. It does not know its clients, and outlives every wire.
 */
export interface LockPc {
  rooms: Map<string, PcRoom>
  encoders: Map<number, PcEncoder>
  /** All cards that were ever made, by their serial numbers. */
  cards: Map<string, PcCard>
  clock: Clock
  /** The time of its clock, YYYYMMDDHHmm. */
  shown(): string
  dateFormat: 'HHDDMMYY' | 'HHmmDDMMYY'
  /** The required login, `user:password`; null for none. */
  login: string | null
  reportsUid: boolean
  knowsReset: boolean
  /**
   * Supplies a card when an encoder needs one; returns null when none is left. If the field is null, the test lays the
   * cards down.
   */
  nextCard: (() => PcCard | null) | null
  /** How long an encoder waits for a card. */
  cardWaitMs: number
  /** How long the making of a card takes. */
  pace: number
  onceCardsMost: number
  /** True: ENQ is answered with NAK. */
  isBusy: boolean
  /** True: it is also busy while an encoder works. */
  isBusyAtWork: boolean
  /** The number of requests that are answered with NAK. */
  naks: number
  /** The number of requests that are executed without an ACK. */
  lostAcks: number
  /** True: results carry 0D in place of their LRC. */
  skipsLrc: boolean
  /** True: every byte is written separately. */
  splits: boolean
  /** True: ACK waits for the result, and both leave in one piece. */
  joins: boolean
  /** True: a result whose wire has closed leaves on the newest wire, as on a serial line that was plugged in again. */
  answersOnNewest: boolean
  /** For each of the next results, except those of EX: called instead of sending it. */
  instead: ((send: () => void, dropLine: () => void) => void)[]
  /** `at` is a command in two letters, or ENQ. */
  misbehaviours: Misbehaviour[]
  /** The requests received, as text with `|` for the separator. */
  requests: string[]
  /** The open wires, the newest last. */
  wires: ((bytes: Uint8Array) => void)[]
}

/** A lock PC that behaves well by default, without cards on its encoders. */
export function lockPc(setup: {
  rooms: readonly string[]
  encoders: readonly number[]
  clock: Clock
  shown(): string
  options?: Partial<LockPc>
}): LockPc {
  const { rooms, encoders, clock, shown, options = {} } = setup
  return {
    rooms: new Map(rooms.map((name) => [name, freshRoom()])),
    encoders: new Map(encoders.map((number) => [number, { isOnline: true, card: null, task: null }])),
    cards: new Map(),
    clock,
    shown,
    dateFormat: 'HHDDMMYY',
    login: null,
    reportsUid: true,
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

/** Takes the card off an encoder; null where none lies. */
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

/** The cards that were made for a room and its current guest, at any time. */
export function cardsFor(pc: LockPc, room: string): PcCard[] {
  const { issue, isCheckedIn } = pc.rooms.get(room) ?? freshRoom()
  return [...pc.cards.values()].filter(
    ({ holds }) =>
      (isCheckedIn || holds?.opensOnce === true) &&
      holds?.rooms.some((each) => each.name === room && each.issue === issue),
  )
}

/** Presents a card to a door; a card that opens once is used up by it. */
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
