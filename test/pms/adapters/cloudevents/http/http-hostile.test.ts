import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { virtualClock } from '../../../../../src/host/virtual-clock.ts'
import { httpCarrierKind } from '../../../../../src/pms/adapters/cloudevents/http/http-carrier.ts'
import type { CapabilitiesRequested } from '../../../../../src/pms/adapters/cloudevents/messages/message-data.ts'
import {
  capabilitiesRequested,
  reservationChanged,
} from '../../../../../src/pms/adapters/cloudevents/messages/message-examples.ts'
import fc, { seed } from '../../../../seed.ts'
import { calling } from '../../adapter-contract.ts'

const [drawn] = fc.sample(fc.integer({ min: 1, max: 150 }), { numRuns: 1, seed })

describe('a PMS over HTTP that answers in JSON', () => {
  let says = ''
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('ETag', '"1"')
    response.end(says)
  })
  let baseUrl = ''
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  const asking = {
    changes: (carrier: Carrier) =>
      carrier.request('pms.changes.requested', { after: null, limit: 5 }, calling()),
    capabilities: (carrier: Carrier) =>
      carrier.request(
        'pms.capabilities.requested',
        capabilitiesRequested.data as CapabilitiesRequested,
        calling(),
      ),
    offers: (carrier: Carrier) => carrier.request('pms.reservations.offered', { offers: [] }, calling()),
  }
  const answers = { null: 'null', 'a number': '7', 'a list': '[]', 'a long text': `"${'x'.repeat(100_000)}"` }
  type Carrier = ReturnType<typeof httpCarrierKind.open>

  const open = (more: object = {}, credentials: Record<string, unknown> = {}) =>
    httpCarrierKind.open({
      configurationId: '1',
      connection: { baseUrl, ...more },
      credentials,
      heartbeatSeconds: 60,
      timeoutMs: 5_000,
      source: () => 'urn:property:1',
      epoch: () => 1,
      clock: virtualClock(0),
    })

  for (const [what, ask] of Object.entries(asking))
    for (const [named, text] of Object.entries(answers))
      it(`and tells ${named} instead of ${what} has answered nothing that is understood`, async () => {
        says = text
        const carrier = open()
        await assert.rejects(ask(carrier), { code: 'vendor-error', message: /not an object/ })
        await carrier.close()
      })

  for (const page of [
    '<!doctype html><p>Log in',
    '\n\t <html lang="pt"><title>Wi-Fi</title>',
    '\uFEFF<?xml version="1.0"?><!DOCTYPE html>',
    '<HTML><HEAD><META HTTP-EQUIV="refresh">',
    `${' '.repeat(drawn!)}<script>location = "/login"</script>`,
  ])
    it(`has not taken the events to which a login page answers: ${page.trim().slice(0, 30)}`, async () => {
      says = page
      const carrier = open()
      await assert.rejects(carrier.publish([reservationChanged as never], calling()), {
        code: 'vendor-error',
        message: /page of HTML/,
        outcomeUnknown: true,
      })
      await carrier.close()
    })

  for (const answer of ['', 'OK', '{}', '{"taken": 1}', 'null', '1 < 2'])
    it(`has taken the events that it answers with "${answer}"`, async () => {
      says = answer
      const carrier = open()
      await carrier.publish([reservationChanged as never], calling())
      await carrier.close()
    })

  it('gives no token with null', async () => {
    says = 'null'
    const carrier = open({ tokenUrl: baseUrl }, { clientId: 'house', clientSecret: 'secret' })
    await assert.rejects(asking.changes(carrier), { code: 'vendor-error', message: /not an object/ })
    await carrier.close()
  })
})
