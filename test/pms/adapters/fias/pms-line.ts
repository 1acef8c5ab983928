import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { fiasGuests } from '../../../../drivers/fias/guest-link.ts'
import { pms, type SimulatedFiasPms } from '../../../../drivers/fias/simulator/pms-simulator.ts'
import { type FrontDesk, frontDesk } from '../../../../drivers/fias/simulator/simulated-front-desk.ts'
import type { GuestLink, GuestLinkSetup } from '../../../../src/devices/network/guest-link.ts'
import { openWire, parseAddress } from '../../../../src/devices/wires/wire.ts'
import { GuestFeed } from '../../../../src/pms/adapters/fias/guest-feed.ts'
import type { LocalStays } from '../../../../src/pms/adapters/fias/local-stays.ts'
import type { ChangePage, PmsChange, Refused, ReservationChange } from '../../../../src/pms/sync-contract.ts'
import { until } from '../../../eventually.ts'
import { type TestClock, testClock } from '../../../test-clock.ts'

export const today = '2026-06-01'
/** Of today, Unix milliseconds. */
export const noon = Date.UTC(2026, 5, 1, 12)
const patience = 0.05

export interface PmsLine {
  feed: GuestFeed
  link: GuestLink
  foreign: SimulatedFiasPms
  desk: FrontDesk
  /** What came by itself. */
  pages: (ChangePage & { previous: string | null })[]
  lines: string[]
  nudges: number
  /** What the house has; a test may change it. */
  house: { inHouse: ReturnType<LocalStays['inHouse']>; known: Set<string>; rooms: Set<string> }
  pull(cursor?: string | null): Promise<ChangePage>
  /** Of both ends; goes by only while something is waited for. */
  clock: TestClock
}

/** What is done when a test, or all of a suite, is over. */
export type Ending = Pick<TestContext, 'after'>

interface Options {
  swaps?: boolean
  framing?: SimulatedFiasPms['framing']
  handle?: GuestLinkSetup['handle']
}

/** A PMS that listens, as most do. Gives its address. */
export async function listening(test: Ending, foreign: Pick<SimulatedFiasPms, 'play'>): Promise<string> {
  const sockets = new Set<Socket>()
  // What the kernel holds back for a while would not be seen to be on its way.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    void foreign.play(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  test.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A feed over real TCP to the desk of a simulated PMS. */
export async function pmsLine(test: Ending, options: Options = {}): Promise<PmsLine> {
  const { framing = 'tcp' } = options
  const clock = testClock({ wallMs: noon, always: false })
  const foreign = pms({ clock, framing })
  const path = await listening(test, foreign)
  return lineTo(test, foreign, path, { clock, ...options })
}

/** A feed over real TCP to a PMS that listens there already. */
export async function lineTo(
  test: Ending,
  foreign: SimulatedFiasPms,
  path: string,
  options: Options & { clock: TestClock; desk?: FrontDesk },
): Promise<PmsLine> {
  const { clock, swaps = true, framing = 'tcp', handle = null, desk = frontDesk(foreign) } = options
  const house: PmsLine['house'] = { inHouse: [], known: new Set(), rooms: new Set(['101', '102', '103']) }
  const feed = new GuestFeed({
    name: 'Grand PMS',
    localStays: {
      inHouse: () => house.inHouse,
      isOccupiedByOther: () => false,
      has: (id) => house.known.has(id),
      unitTypeCode: (name) => (house.rooms.has(name) ? 'DBL' : null),
    },
    clock,
    readField: fiasGuests.readField,
    swaps,
    settleMs: 10,
    silentMs: 30_000 * patience,
    waitMs: 20_000,
    longestMs: 1_800_000 * patience,
    swapBegun() {},
    ask: () => link.send('DR', {}),
    failed: (error) => {
      throw error
    },
  })
  const link = fiasGuests.open({
    name: 'Grand PMS',
    connection: { direction: 'connect', path, framing, patience },
    family: 'DL',
    handle,
    async openWire(at) {
      const parsed = parseAddress(at)
      if ('problem' in parsed) throw new Error(parsed.problem)
      return openWire(parsed.address, { clock })
    },
    wallTime: () => ({ date: today, time: '12:00:00' }),
    clock,
    log() {},
    linked: () => feed.linked(),
    cut: (reason) => feed.cut(reason),
    received: (record) => feed.record(record),
    unread: (text) => feed.unread(text),
    doubted() {},
  })
  const line: PmsLine = {
    feed,
    link,
    foreign,
    desk,
    pages: [],
    lines: [],
    nudges: 0,
    house,
    clock,
    pull: (cursor = null) => clock.during(feed.pull(cursor, clock.timeout(20_000))),
  }
  feed.follow({
    changes: (page) => line.pages.push(page),
    poke: () => line.nudges++,
    line: (state) => line.lines.push(state),
  })
  test.after(async () => {
    feed.close()
    await clock.during(link.close())
    clock.retire()
  })
  await until(() => line.lines.includes('up'))
  return line
}

/** What was reported of reservations, each as `id status room: last names`. */
export function said(changes: readonly PmsChange[]): string[] {
  return changes
    .filter((change): change is ReservationChange => change.is === 'reservation')
    .map(({ externalId, value }) => {
      const [stay] = value?.stays ?? []
      const names = (stay?.guests ?? []).map(({ lastName }) => lastName).join(', ')
      return `${externalId} ${stay?.status} ${stay?.units?.[0]?.unitName ?? '-'}: ${names}`
    })
}

/** All that came by itself, in order. */
export const heard = ({ pages }: PmsLine): string[] => said(pages.flatMap(({ changes }) => changes))
export const refusals = ({ pages }: PmsLine): Refused[] => pages.flatMap(({ refused }) => refused)
