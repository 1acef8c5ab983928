import type {
  KeyServiceDriver,
  ServiceAnswer,
  ServiceLink,
  ServiceRequest,
} from '../../devices/key-service.ts'
import { localDate, localTime } from '../../host/zone.ts'
import type { Access } from '../access.ts'
import { type KeyService, keyService } from '../resources/key-service.ts'
import type { KeyDesk } from './key-desk.ts'
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
  access: Access,
  desk: KeyDesk,
  drivers: readonly KeyServiceDriver[],
): KeyServices {
  const { reader, workshop, now, failed } = access
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
    const link = driver.open({
      name: row.name,
      connection: row.connection,
      async openWire(path, options) {
        const wire = await workshop.openWire(path, options)
        const about = {
          bay: row.name,
          capability: 'lock-system',
          driver: row.driver,
          model: row.driver,
        } as const
        const { recorder } = workshop
        return recorder?.line({ ...about, path, baudRate: options.baudRate }, driver.mask, wire).wire ?? wire
      },
      clock: workshop.clock,
      log: listenerLog(access, 'key-service', id),
      wallTime() {
        const { timeZone } = access.house()
        // No zone is off by a part of a minute.
        const seconds = String(Math.floor(now() / 1_000) % 60).padStart(2, '0')
        return { date: localDate(now(), timeZone), time: `${localTime(now(), timeZone)}:${seconds}` }
      },
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
