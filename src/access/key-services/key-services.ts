import type { KeyServiceDriver, ServiceAnswer, ServiceLink } from '../../devices/key-service.ts'
import { first } from '../../resource/query.ts'
import type { Machines } from '../access.ts'
import { settingsOf } from '../lookups.ts'
import { lineSetup } from '../providers/line-setup.ts'
import { lockClock } from '../providers/lock-clock.ts'
import { type KeyService, keyService } from '../resources/key-service.ts'
import type { KeyDesk } from './key-desk.ts'

/** The links over which foreign PMSs order keys. */
export type KeyServices = ReturnType<typeof keyServices>

const gone: ServiceAnswer = { outcome: 'refused', text: 'The key service is gone' }

/** Returns the links of all key services; none is open before `follow`. */
export function keyServices(access: Machines, desk: KeyDesk, drivers: readonly KeyServiceDriver[]) {
  const { reader, clock, failed } = access
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

  function openLink(row: KeyService): void {
    const { id, revision } = row
    const driver = drivers.find(({ name }) => name === row.driver)
    if (!driver) return
    const link = driver.open({
      ...lineSetup(access, 'key-service', row, driver),
      wallTime: () => lockClock('Local', settingsOf(access).timeZone).wallTime(clock.now()),
      async handle(request) {
        const now = reader.row(keyService, id)
        return now ? desk({ way: now.driver, encoders: now.encoders ?? [] }, request) : gone
      },
    })
    open.set(id, { revision, link })
  }

  return {
    /** Opens the configured links, closes removed ones, and opens changed ones again. */
    follow(): void {
      if (isClosed) return
      const wanted = reader.rows(keyService, first([], 100)).filter(({ enabled }) => enabled !== false)
      const revisions = new Map(wanted.map(({ id, revision }) => [id, revision]))
      for (const [id, { revision }] of [...open]) if (revisions.get(id) !== revision) drop(id)
      for (const row of wanted) if (!open.has(row.id)) openLink(row)
    },
    /** The state of a link; null for a service that is switched off or does not exist. */
    stateOf: (id: string): ReturnType<ServiceLink['state']> | null => open.get(id)?.link.state() ?? null,
    async close(): Promise<void> {
      isClosed = true
      for (const id of [...open.keys()]) drop(id)
      await Promise.all(closing)
    },
  }
}
