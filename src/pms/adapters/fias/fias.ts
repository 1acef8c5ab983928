import type { BayEvent } from '../../../devices/bay/bay-event.ts'
import type { GuestLinkDriver } from '../../../devices/network/guest-link.ts'
import { openWire, parseAddress, type WireOptions } from '../../../devices/wires/wire.ts'
import { guarded } from '../../../host/guarded.ts'
import { localDate, localTime } from '../../../host/zone.ts'
import { recordEvent } from '../../capabilities/record-event.ts'
import type { Adapter, AdapterSetup, ApplianceServices, Capabilities, OpenedAdapter } from '../../contract.ts'
import { connectionSchema, guestSettings } from './connection.ts'
import { answerExtension, extensions } from './extensions.ts'
import { GuestFeed } from './guest-feed.ts'
import { guestKeys } from './key-orders.ts'
import { lineLetters } from './line-letters.ts'
import { localStays } from './local-stays.ts'
import { roomReporter } from './room-reporter.ts'

const settleMs = 250
const swapSilentMs = 30_000
/** A swap of 1,000 guests takes about 20 minutes at 1,200 baud. */
const swapLongestMs = 1_800_000
const keyPatienceMs = 10_000

/**
 * A PMS that reports arrivals, changes and departures over the driver's line and in its records. It accepts no outbound
 * changes.
 */
export function fias(driver: GuestLinkDriver): Adapter {
  return {
    name: 'fias',
    version: '1.0.0',
    description: 'A PMS that sends its guests over FIAS (IFC8) and orders keys on the same line.',
    transports: [],
    assignsUnits: true,
    connection: connectionSchema(driver),
    credentials: { type: 'object', additionalProperties: false },
    open: (setup) => opened(driver, setup),
  }
}

function opened(driver: GuestLinkDriver, { configuration, appliance }: AdapterSetup): OpenedAdapter {
  const { name, connection, timeoutMs } = configuration
  const { clock, reader, failed, orderKey, moveGuest, ports } = appliance
  const { now } = clock
  const { family, swaps, sendsRooms, encoders, patience } = guestSettings(connection ?? {})
  const stays = localStays(reader, configuration.id)
  const zone = () => appliance.settings().timeZone

  const letters = lineLetters()
  const feed = new GuestFeed({
    name,
    localStays: stays,
    clock,
    readField: driver.readField,
    swaps,
    settleMs: settleMs * patience,
    silentMs: swapSilentMs * patience,
    waitMs: ((timeoutMs ?? 10_000) * 9) / 10,
    longestMs: swapLongestMs * patience,
    swapBegun: letters.forget,
    ask: () => link.send('DR', {}),
    failed,
  })
  const keys = guestKeys({
    clock,
    feed,
    stays,
    encoders,
    orderKey,
    moveTo: (stayId, unitName) => moveGuest(configuration.id, stayId, unitName),
    failed,
    patienceMs: keyPatienceMs * patience,
  })
  const link = driver.open({
    name,
    connection: lineOf(connection ?? {}),
    family,
    handle: encoders.length > 0 ? keys : null,
    openWire: (path, options) => wireTo(path, { clock, ...options, ...(ports && { ports }) }),
    wallTime() {
      const seconds = String(Math.floor(now() / 1_000) % 60).padStart(2, '0')
      return { date: localDate(now(), zone()), time: `${localTime(now(), zone())}:${seconds}` }
    },
    clock,
    log(event) {
      appliance.lineEvent(event)
      recordRefusedVisitor(event, configuration.id, appliance)
    },
    linked: guarded(failed, () => {
      feed.linked()
      rooms?.linked()
    }),
    cut: guarded(failed, (reason) => feed.cut(reason)),
    received: guarded(failed, (record) => feed.record(record)),
    unread: guarded(failed, (text) => feed.unread(text)),
    doubted: guarded(failed, (record, doubt) => {
      if (letters.doubted(record, doubt)) feed.doubt()
    }),
  })

  const rooms = sendsRooms ? roomReporter({ reader, ...link, failed }) : null

  return {
    capabilities: () => capabilities(encoders.length > 0),
    extension: (request, { signal }) => answerExtension(request, { link, feed, reader, signal }),
    assignUnit: () => ({
      is: 'change-refused',
      reason:
        'The PMS assigns the rooms itself, and its line has no request for one. Assign the room at the PMS.',
    }),
    sync: {
      pull(cursor, { signal }) {
        rooms?.report()
        return feed.pull(cursor, signal)
      },
      follow: (next) => feed.follow(next),
      notes: letters.notes,
    },
    async close() {
      feed.close()
      await link.close()
    },
  }
}

/** Records a refused connection to our listener in the journal. Does nothing for any other event. */
function recordRefusedVisitor(
  { what, visitor }: BayEvent,
  configurationId: string,
  { writer, failed }: ApplianceServices,
): void {
  if (what !== 'refused' || !visitor) return
  const data = { address: visitor.address, reason: visitor.why }
  const subject = `pms-configurations/${configurationId}`
  const refused = { type: 'pms.connection-refused', subject, data }
  writer.execute(recordEvent, refused, { actor: { by: 'listener', requestId: null } }).catch(failed)
}

/** The line settings of a connection: the driver knows no other settings. */
function lineOf({
  family,
  swaps,
  sendsRooms,
  encoders,
  ...line
}: Record<string, unknown>): Record<string, unknown> {
  return line
}

function capabilities(ordersKeys: boolean): Capabilities {
  return {
    flags: [
      'reservations.read',
      'profiles.read',
      'housekeeping.read',
      'housekeeping.write',
      'streaming',
      'sync.full',
      'room-move',
      ...(ordersKeys ? (['keys.push'] as const) : []),
    ],
    extensions,
    rateLimit: null,
    timeZone: null,
  }
}

async function wireTo(path: string, options: WireOptions) {
  const parsed = parseAddress(path)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return openWire(parsed.address, options)
}
