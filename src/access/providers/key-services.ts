import type {
  KeyServiceDriver,
  ServiceAnswer,
  ServiceLink,
  ServiceRequest,
} from '../../devices/key-service.ts'
import { localDate, localTime } from '../../host/zone.ts'
import type { Machines, Property } from '../access.ts'
import { settingsOf } from '../lookups.ts'
import { type KeyService, keyService } from '../resources/key-service.ts'
import type { KeyDesk } from './key-desk.ts'
import { recordedWire } from './recorded-wire.ts'
import { listenerLog } from './refused-connection.ts'

/** The links over which foreign PMS order keys here. */
export interface KeyServices {
  /** Opens what is configured, closes what is not any more, and opens anew what has changed. */
  follow(): void
  /** Null for a service that is switched off, or that there is not. */
  stateOf(id: string): ReturnType<ServiceLink['state']> | null
  close(): Promise<void>
}

/** Every key service there is, each kept open for ever. */
export function keyServices(
  access: Property & Machines,
  desk: KeyDesk,
  drivers: readonly KeyServiceDriver[],
): KeyServices {
  const { reader, workshop, failed } = access
  const open = new Map<string, { revision: number; link: ServiceLink }>()
  /** A port or a line is free only when who had it has let go. */
  const closing = new Set<Promise<void>>()
  let isClosed = false

  function drop(id: string): void {
    const known = open.get(id)
    open.delete(id)
    if (!known) return
    const closed = known.link.close().catch(failed)
    closing.add(closed)
    void closed.then(() => closing.delete(closed))
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const id of [...open.keys()]) drop(id)
    await Promise.all(closing)
  }

  return {
    follow() {
      if (isClosed) return
      const rows = reader.rows(keyService, { filters: [], sort: [], page: { size: 100 } })
      const wanted = new Map(rows.filter(({ enabled }) => enabled !== false).map((row) => [row.id, row]))
      for (const [id, { revision }] of [...open]) if (wanted.get(id)?.revision !== revision) drop(id)
      for (const [id, row] of wanted) if (!open.has(id)) openLink(id, row)
    },
    stateOf: (id) => open.get(id)?.link.state() ?? null,
    close,
  }

  function openLink(id: string, row: KeyService): void {
    const driver = drivers.find(({ name }) => name === row.driver)
    if (!driver) return
    const { name, connection } = row
    const link = driver.open({
      name,
      connection,
      openWire: (path, options) => recordedWire(workshop, { name, driver }, path, options),
      clock: workshop.clock,
      log: listenerLog(access, 'key-service', id),
      wallTime: () => wallTime(access),
      handle: (request) => handled(id, request),
    })
    open.set(id, { revision: row.revision, link })
  }

  async function handled(id: string, request: ServiceRequest): Promise<ServiceAnswer> {
    const row = reader.row(keyService, id)
    if (!row) return { outcome: 'refused', text: 'The key service is gone' }
    return desk({ way: row.driver, encoders: row.encoders ?? [] }, request)
  }
}

/** What the clock on the wall of the property shows. */
function wallTime(access: Property): { date: string; time: string } {
  const { timeZone } = settingsOf(access)
  const now = access.clock.now()
  // No zone is off by a part of a minute.
  const seconds = String(Math.floor(now / 1_000) % 60).padStart(2, '0')
  return { date: localDate(now, timeZone), time: `${localTime(now, timeZone)}:${seconds}` }
}
