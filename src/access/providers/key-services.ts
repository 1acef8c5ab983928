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

/** The links over which foreign PMSs order keys. */
export type KeyServices = ReturnType<typeof keyServices>

/** Returns the links of all key services; none is open before `follow`. */
export function keyServices(
  access: Property & Machines,
  desk: KeyDesk,
  drivers: readonly KeyServiceDriver[],
) {
  const { reader, workshop, failed } = access
  const open = new Map<string, { revision: number; link: ServiceLink }>()
  /** Links that are closing: a port or a line is free only afterwards. */
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
    /** Opens the configured links, closes removed ones, and opens changed ones again. */
    follow(): void {
      if (isClosed) return
      const rows = reader.rows(keyService, { filters: [], sort: [], page: { size: 100 } })
      const wanted = new Map(rows.filter(({ enabled }) => enabled !== false).map((row) => [row.id, row]))
      for (const [id, { revision }] of [...open]) if (wanted.get(id)?.revision !== revision) drop(id)
      for (const [id, row] of wanted) if (!open.has(id)) openLink(id, row)
    },
    /** The state of a link; null for a service that is switched off or does not exist. */
    stateOf: (id: string): ReturnType<ServiceLink['state']> | null => open.get(id)?.link.state() ?? null,
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

/** The local date and time of the property. */
function wallTime(access: Property): { date: string; time: string } {
  const { timeZone } = settingsOf(access)
  const now = access.clock.now()
  // The offset of every zone is a whole number of minutes.
  const seconds = String(Math.floor(now / 1_000) % 60).padStart(2, '0')
  return { date: localDate(now, timeZone), time: `${localTime(now, timeZone)}:${seconds}` }
}
