import assert from 'node:assert/strict'
import Database from 'better-sqlite3'
import { standalone } from '../../../src/pms/adapters/standalone/standalone.ts'
import type { TestOptions } from '../../appliance.ts'
import { eventually } from '../../eventually.ts'
import { openHouse, type ReservationHouse } from '../../reservation/api/house.ts'
import { type ScriptedAdapter, scriptedAdapter } from '../adapters/scripted-adapter.ts'
import { type PlayedPms, playedPms } from './played-pms.ts'

export { eventually }

/** The sample property, kept in step with a PMS in memory. */
export interface LinkedHouse extends ReservationHouse {
  pms: PlayedPms
  adapter: ScriptedAdapter
  configurationId: string
  configuration: string
  /** What the sync document says of it now. */
  state(): Promise<Record<string, unknown>>
  /** Has it done now, and gives what came of it. Fails the test when it is refused. */
  synchronise(what: 'pull' | 'push' | 'full-load'): Promise<Record<string, number>>
  /** The reservation of this name, with its stays; undefined when there is none. */
  reservation(externalId: string): Promise<{ id: string; attributes: Record<string, never> } | undefined>
  quarantined(): Promise<{ id: string; attributes: Record<string, unknown> }[]>
  /** One number from the store, as it is on the disk. */
  count(sql: string, ...values: unknown[]): number
  /** The data of the journal lines of a type, the oldest first. */
  eventsOf(type: string): Record<string, unknown>[]
}

export interface LinkedOptions extends TestOptions {
  pms?: PlayedPms
  adapter?: Partial<ScriptedAdapter>
  /** Of the configuration. */
  attributes?: Record<string, unknown>
}

export async function openLinkedHouse(options: LinkedOptions = {}): Promise<LinkedHouse> {
  const { pms = playedPms(), adapter: declared, attributes, ...rest } = options
  const adapter = scriptedAdapter({ assignsUnits: false, ...declared })
  adapter.script = { sync: pms.sync }
  const house = (await openHouse({ adapters: [standalone, adapter], ...rest })) as unknown as LinkedHouse
  const configurationId = await house.make('/api/config/v1/pms-configurations', {
    name: 'Opera',
    adapter: 'scripted',
    heartbeatSeconds: 3600,
    ...attributes,
  })
  const configuration = `/api/config/v1/pms-configurations/${configurationId}`
  const linked = Object.assign(house, { pms, adapter, configurationId, configuration })
  linked.state = async () => (await house.ask('GET', `${configuration}/sync`)).body.data.attributes
  linked.synchronise = async (what) => {
    const reply = await house.ask('POST', `${configuration}/actions/${what}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.meta.counts
  }
  linked.reservation = async (externalId) => {
    const reply = await house.ask(
      'GET',
      `/api/v2/reservations?filter[externalId]=${encodeURIComponent(externalId)}`,
    )
    assert.equal(reply.status, 200, reply.text)
    return reply.body.data[0]
  }
  linked.quarantined = async () =>
    (await house.ask('GET', '/api/config/v1/quarantined-messages?page[size]=100')).body.data
  const onDisk = <T>(work: (db: Database.Database) => T): T => {
    const db = new Database(`${house.data}/nightporter.db`, { readonly: true })
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  linked.count = (sql, ...values) =>
    onDisk((db) =>
      Number(
        db
          .prepare(sql)
          .pluck()
          .get(...values) ?? 0,
      ),
    )
  linked.eventsOf = (type) =>
    onDisk((db) =>
      (
        db.prepare('SELECT data FROM journal WHERE type = ? ORDER BY sequence').pluck().all(type) as string[]
      ).map((data) => JSON.parse(data) as Record<string, unknown>),
    )
  await eventually('a linked house', async () => (await linked.state()).isKeptInStep === true)
  return linked
}
