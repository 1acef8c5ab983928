import { createHash, timingSafeEqual } from 'node:crypto'
import type { ServiceAnswer, ServiceRequest } from '../../../devices/key-service.ts'
import type { Clock } from '../../../host/clock.ts'
import { localDate, localTime } from '../../../host/zone.ts'
import { Problem } from '../../../resource/problem.ts'
import type { CallbackReply, CallbackRequest, OrderKey } from '../../contract.ts'
import { guestInRoom } from '../guest-in-room.ts'
import type { OperaSettings } from './connection.ts'
import { type KeyOrder, orderIn } from './key-order.ts'
import { idIn } from './map-in.ts'

interface KeyOrderOptions extends Omit<Parameters<typeof guestInRoom>[0], 'patienceMs' | 'clock'> {
  clock: Clock
  /** `keyUser` and `keyPassword` are those of OPERA's requests; without them every order is refused. */
  settings: Pick<OperaSettings, 'encoders' | 'keyUser' | 'keyPassword'>
  orderKey: OrderKey
  timeZone(): string
  /** Fetches a reservation soon: OPERA orders keys right after a check-in. */
  fetchSoon(externalId: string): void
}

/** OPERA waits 20 s. */
const answerMs = 18_000
/** A key waits so long for its guest to be in house, and as long for the room to be free; the rest is left for the encoder. */
const patienceMs = 4_000
/** The maximum number of orders in progress. */
const mostOrders = 16
const way = 'opera'

type Make = Pick<ServiceRequest, 'kind' | 'key'>

/** What each type of order is here; a sentence for one that cannot be carried out. */
const keyTypes: Readonly<Record<string, Make | string>> = {
  New: { kind: 'create', key: 'original' },
  Lost: { kind: 'create', key: 'original' },
  RoomMove: { kind: 'create', key: 'original' },
  Duplicate: { kind: 'create', key: 'copy' },
  ReEncode: { kind: 'create', key: 'copy' },
  OneShot: { kind: 'create', key: 'one-shot' },
  Remove: { kind: 'revoke', key: 'original' },
  Read: { kind: 'read', key: 'original' },
  ModifyStay: 'A card cannot be changed from afar. Make a new key.',
}

/** OPERA's words: done, encoder busy, not possible, try again. */
type Code = 'OK' | 'BY' | 'UR' | 'RY'
const codes = { done: 'OK', busy: 'BY', refused: 'UR' } as const

interface Outcome {
  code: Code
  text: string | null
  done: Extract<ServiceAnswer, { outcome: 'done' }> | null
}

const undone = (code: Code, text: string): Outcome => ({ code, text, done: null })

/** Makes the keys that OPERA's door lock interface orders. Throws unauthenticated; every other outcome is an answer. */
export function keyOrders(options: KeyOrderOptions) {
  const { clock, settings, orderKey, timeZone } = options
  const { encoders } = settings
  const obstacleTo = guestInRoom({ ...options, patienceMs })
  let pending = 0

  return async (request: CallbackRequest): Promise<CallbackReply> => {
    expectCredentials(request, settings)
    const order = await orderIn(request.text)
    if (typeof order === 'string') return reply({}, undone('UR', order))
    if (pending >= mostOrders) return reply(order, undone('BY', 'Too many keys are being made'))
    pending++
    const work = carriedOut(order).finally(() => pending--)
    return reply(order, await inTime(work))
  }

  async function carriedOut(order: KeyOrder): Promise<Outcome> {
    const make = keyTypes[order.keyType] ?? `Keys of the type ${order.keyType} are not known here.`
    if (typeof make === 'string') return undone('UR', make)
    if (order.roomKeyType !== 'HardKey') return undone('UR', 'Only cards are made here.')
    const request = requestOf(order, make, timeZone())
    const { reservation } = request
    if (make.kind === 'create' && reservation !== null) {
      if (!options.stays.has(reservation, 'InHouse')) options.fetchSoon(reservation)
      const obstacle = await obstacleTo(reservation, request, { isMove: make.key === 'original' })
      // The encoder was not asked: OPERA may order the key again.
      if (obstacle) return undone(obstacle.outcome === 'busy' ? 'RY' : 'UR', obstacle.text)
    }
    const answer = await orderKey({ way, encoders }, request)
    return { code: codes[answer.outcome], text: answer.text, done: answer.outcome === 'done' ? answer : null }
  }

  function inTime(work: Promise<Outcome>): Promise<Outcome> {
    return new Promise((resolve) => {
      const late = undone('UR', 'The encoder has not answered in time. Look whether it has made the key.')
      const timer = clock.setTimeout(() => resolve(late), answerMs)
      work
        .catch((error) => {
          options.failed(error)
          return undone('UR', 'The key could not be made.')
        })
        .then((outcome) => {
          timer.cancel()
          resolve(outcome)
        })
    })
  }

  function reply(order: Partial<KeyOrder>, { code, text, done }: Outcome): CallbackReply {
    const { keyRequestTime = '', keyValidityStart = keyRequestTime, keyValidityEnd = keyRequestTime } = order
    const { encoderId, reservationIdList, additionalRooms, userId } = order
    const found = done?.found ?? null
    const body = {
      ...(encoderId !== undefined && { encoderId }),
      encoderTerminal: order.encoderTerminal ?? '',
      ...(reservationIdList && { reservationIdList }),
      roomId: found?.unit ?? order.roomId ?? '',
      keyValidityStart,
      keyValidityEnd: found?.until ? `${found.until.date}T${found.until.time}` : keyValidityEnd,
      noOfKeys: done === null ? 0 : 1,
      responseCode: code,
      ...(text && { responseText: text }),
      ...(additionalRooms && { additionalRooms }),
      ...(userId && { userId }),
      ...(done?.uid && { cardSerialNumber: done.uid }),
      keyCreationTime: new Date(clock.now()).toISOString(),
      roomKeyType: 'HardKey',
      keyUserType: 'Guest',
    }
    return { status: 201, body }
  }
}

function requestOf(order: KeyOrder, { kind, key }: Make, zone: string): ServiceRequest {
  const { encoderId, roomId, additionalRooms, keyOptions, keyValidityStart, keyValidityEnd } = order
  const until = wallTime(keyValidityEnd, zone)
  return {
    kind,
    key,
    encoder: encoderId,
    unit: roomId ?? null,
    extraUnits: additionalRooms ?? [],
    // A one-shot key belongs to a room, never to a reservation.
    reservation: key === 'one-shot' ? null : idIn(order.reservationIdList, 'Reservation'),
    from: wallTime(keyValidityStart, zone)?.date ?? null,
    until: until?.date ?? null,
    untilTime: until?.time ?? null,
    on: keyOptions?.map(({ keyOptionsCode }) => keyOptionsCode) ?? [],
    off: [],
  }
}

/** The time by the clock of the property: a moment without a zone is one already. */
function wallTime(text: string | undefined, zone: string): { date: string; time: string } | null {
  if (text === undefined) return null
  if (!/(Z|[+-]\d\d:?\d\d)$/.test(text)) return { date: text.slice(0, 10), time: text.slice(11, 16) }
  const moment = Date.parse(text)
  if (Number.isNaN(moment)) return null
  return { date: localDate(moment, zone), time: localTime(moment, zone) }
}

/** Throws unauthenticated for other credentials than those of the configuration. */
function expectCredentials(
  { header }: CallbackRequest,
  { keyUser, keyPassword }: KeyOrderOptions['settings'],
): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const wanted = `Basic ${Buffer.from(`${keyUser}:${keyPassword}`).toString('base64')}`
  const isRight = timingSafeEqual(digest(header('authorization')), digest(wanted))
  if (keyUser !== null && keyPassword !== null && isRight) return
  throw new Problem('unauthenticated', 'The order has not the user and password of the door lock interface.')
}
