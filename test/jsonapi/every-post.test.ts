import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import type { Route } from '../../src/jsonapi/route.ts'
import { until } from '../access/house-with-doors.ts'
import type { Reply } from '../appliance.ts'
import { withKey } from '../backup/recovery.ts'
import { type HouseWithPms, openHouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { bodyOf, type Ground, groundOf, nameOf, pathOf } from './every-route.ts'

/**
 * Who pairs has no name yet, and a PMS that calls back signs instead: a key of his would be one for everybody. A house
 * without TLS renews no certificate; test/certificate repeats that one. Without an image nothing can be updated, no network be
 * changed, and no support console be opened; test/box repeats that one. The words of a recovery sheet differ each time; test/backup types them back.
 * A probe stores nothing, so a repeated one asks the device again; nor does a list of rooms that is read.
 */
const without = [
  'POST /api/config/v1/pairing',
  'POST /api/v2/pms/providers/:configurationId/callback',
  'POST /api/config/v1/certificate/actions/renew',
  'POST /api/config/v1/recovery-sheet/actions/confirm',
  'POST /api/config/v1/connected-devices/actions/probe',
  'POST /api/config/v1/setup/actions/read-rooms',
  'POST /api/config/v1/update/actions/install',
  'POST /api/config/v1/update/actions/confirm',
  'POST /api/config/v1/network/actions/try',
  'POST /api/config/v1/network/trials/:id/actions/confirm',
  'POST /api/config/v1/support-console/actions/open',
  'POST /api/config/v1/support-console/actions/close',
]
/** A browser without a token is known by cookies, and each of these gives it new ones. */
const ofBrowser = /^POST \/api\/v2\/session(\/|$)/
/** Who goes on with a restore has no name, only the secret of the restore. */
const ofRestore = /\/restores\/(:id\/)?actions\//
/** It pays all that is outstanding, so it comes last. */
const wholePayment = 'POST /api/v2/reservations/:reservationId/actions/record-payment'
/** It names the payment that `pay-at-terminal` has made before. */
const settling = 'POST /api/v2/stays/:stayId/actions/settle-terminal-payment'

const house: HouseWithPms = await openHouseWithPms()
const routes = house.appliance.interfaces
  .flatMap((each) => each.routes)
  .filter(
    (route) =>
      route.method === 'POST' &&
      !without.includes(nameOf(route)) &&
      !ofBrowser.test(nameOf(route)) &&
      !ofRestore.test(nameOf(route)),
  )
  .sort((a, b) => Number(nameOf(a) === wholePayment) - Number(nameOf(b) === wholePayment))
let ground: Ground
before(async () => {
  ground = await groundOf(house)
  house.pms.does({ extension: () => ({ is: 'answered', payload: {} }) })
  Object.assign(ground.ids, { configurationId: house.configurationId, extensionName: 'webhooks' })
  withKey(house.data)
  await house.ask('POST', '/api/config/v1/backups')
})
after(() => house.stop())

const code = ({ body }: Reply): string | undefined => body?.errors?.[0].code
const replayed = ({ headers }: Reply) => headers.get('idempotency-replayed')

async function bodyFor(route: Route): Promise<unknown> {
  if (nameOf(route) === settling) {
    const { body } = await house.ask('GET', `/api/v2/stays/${ground.ids.stayId}/terminal-payment`)
    return { ...(bodyOf(route, ground) as object), terminalPaymentId: body.data.id }
  }
  if (nameOf(route) !== wholePayment) return bodyOf(route, ground)
  const { outstanding } = await house.attributes(`/api/v2/reservations/${ground.ids.reservationId}`)
  return { ...(bodyOf(route, ground) as object), amount: outstanding }
}

/** The guest of the card before has taken it. */
async function gateIsClear(): Promise<void> {
  const path = `/api/v2/access/dispensers/${ground.ids.dispenserId}/status`
  await until(
    'a clear gate',
    async () => (await house.ask('GET', path)).body.data.attributes,
    ({ guestWaiting, cardPosition }) => guestWaiting === null && cardPosition === 'none',
  )
}

/** Keeps everybody from writing until it is called again: what writes runs for as long. */
function held(): () => void {
  const shell = new Database(`${house.data}/nightporter.db`)
  shell.exec('BEGIN IMMEDIATE')
  return () => {
    shell.exec('ROLLBACK')
    shell.close()
  }
}

describe('an Idempotency-Key is honoured by', () => {
  for (const [index, route] of routes.entries()) {
    it(nameOf(route), async () => {
      const path = pathOf(route, ground)
      const body = await bodyFor(route)
      await gateIsClear()
      const headers = { 'Idempotency-Key': `every-post-${index}` }
      const ask = (sent = body) =>
        house.ask('POST', path, { headers, ...(sent !== undefined && { body: sent }) })

      const release = held()
      const both = [ask(), ask()]
      const refused = await Promise.race(both)
      release()
      assert.deepEqual([refused.status, code(refused)], [409, 'idempotency-in-progress'], refused.text)
      assert.equal(refused.headers.get('retry-after'), '1')
      const first = (await Promise.all(both)).find((each) => each !== refused)!
      assert.ok([200, 201].includes(first.status), first.text)
      assert.equal(replayed(first), null)

      const again = await ask()
      assert.deepEqual([again.status, replayed(again)], [first.status, 'true'], again.text)
      assert.deepEqual(withoutSecret(again), withoutSecret(first))
      for (const name of ['etag', 'location', 'content-type']) {
        assert.equal(again.headers.get(name), first.headers.get(name), name)
      }

      const other = await ask({ ...(body as object), comment: 'another' })
      assert.deepEqual([other.status, code(other)], [422, 'idempotency-key-reused'], other.text)
      assert.deepEqual(other.body.errors[0].source, { header: 'Idempotency-Key' })
    })
  }

  it('no caller without a token', async () => {
    const body = { code: '00000000' }
    const headers = { 'Idempotency-Key': 'pairing' }
    const pair = () => house.ask('POST', '/api/config/v1/pairing', { token: null, headers, body })
    for (const reply of [await pair(), await pair()]) {
      assert.deepEqual([reply.status, replayed(reply)], [401, null])
    }
  })
})

/** A new token, a webhook's secret, or a one-time code, is shown once. */
function withoutSecret({ body }: Reply): unknown {
  const { token, secret, code, codeEndsAt, note, ...meta } = body.meta ?? {}
  return { ...body, meta }
}
