import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { DeviceFault } from '../../../src/devices/fault.ts'
import type { SyncSide } from '../../../src/pms/sync-contract.ts'
import fc from '../../seed.ts'
import { calling, pullAll } from '../adapters/adapter-contract.ts'
import { mewsBench } from '../adapters/mews/bench.ts'
import { operaBench } from '../adapters/opera/bench.ts'

/** Passes requests on to a simulated PMS, and its answers back as `spoil` makes them. */
async function spoilingWire(target: () => string) {
  const wire = { address: '', spoil: (answer: string) => answer, close: async () => {} }
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers } = request
    const body = method === 'GET' ? null : await text(request)
    const { host: _, connection: __, 'content-length': ___, ...others } = headers
    const reply = await fetch(`${target()}${request.url}`, {
      method,
      headers: others as Record<string, string>,
      body,
    })
    response
      .writeHead(reply.status, { 'content-type': 'application/json' })
      .end(wire.spoil(await reply.text()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  wire.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  wire.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return wire
}

/** The answer with another value in one place. */
function spoiled(answer: string, place: number, value: unknown): string {
  if (answer === '') return answer
  const places: [holder: Record<string, unknown>, name: string][] = []
  const root = { answer: JSON.parse(answer) as unknown }
  const walk = (holder: Record<string, unknown>) => {
    for (const [name, member] of Object.entries(holder)) {
      places.push([holder, name])
      if (typeof member === 'object' && member !== null) walk(member as Record<string, unknown>)
    }
  }
  walk(root)
  const [holder, name] = places[place % places.length]!
  holder[name] = value
  return JSON.stringify(root.answer) ?? ''
}

/** What a pull comes to: a page, or a fault with a sentence. */
async function outcomeOf(side: SyncSide): Promise<string> {
  try {
    const page = await side.pull(null, calling())
    assert.ok(Array.isArray(page.changes) && page.cursor.length > 0)
    return 'page'
  } catch (error) {
    assert.ok(error instanceof DeviceFault, String((error as Error).stack))
    return error.message
  }
}

const spoilings = fc.tuple(fc.nat(5_000), fc.oneof(fc.constant(null), fc.jsonValue()))
const times = 100

describe('An adapter reads every answer with one other value as a page, or as a fault with a sentence:', () => {
  it('mews', async (t) => {
    const wire = await spoilingWire(() => address)
    const bench = await mewsBench(() => ({ platformAddress: wire.address }))
    const address = bench.there.platformAddress
    t.after(async () => {
      await bench.close()
      await wire.close()
    })
    bench.there.book({ room: '201' })
    assert.equal(await outcomeOf(bench.side), 'page')
    for (const list of ['Customers', 'Companionships', 'ServiceOrderNotes', 'Resources', 'Reservations']) {
      wire.spoil = (answer) =>
        answer
          .replace(`"${list}":[`, `"${list}":[null,7,{},{"LastName":"Li","FirstName":7},`)
          .replace(',]', ']')
      bench.reopen()
      assert.equal(await outcomeOf(bench.side), 'page', list)
    }
    for (const [place, value] of fc.sample(spoilings, times)) {
      wire.spoil = (answer) => spoiled(answer, place, value)
      bench.reopen()
      await outcomeOf(bench.side)
    }
    assert.deepEqual(bench.failures, [])
  })

  it('opera', async (t) => {
    const wire = await spoilingWire(() => address)
    const bench = await operaBench({ gatewayUrl: wire.address })
    const address = bench.there.gatewayUrl
    t.after(async () => {
      await bench.close()
      await wire.close()
    })
    bench.there.book()
    assert.equal(await outcomeOf(bench.side), 'page')
    for (const hotel of ['OTHER', '', 7, 'x'.repeat(20), '../SIM']) {
      wire.spoil = (answer) => answer.replaceAll(/"hotelId":"[^"]*"/g, `"hotelId":${JSON.stringify(hotel)}`)
      bench.reopen()
      const { changes, refused } = await pullAll(bench.side, null)
      assert.deepEqual(
        changes.filter(({ is }) => is === 'reservation'),
        [],
      )
      assert.match(refused[0]?.reason ?? '', /another property/)
    }
    for (const [place, value] of fc.sample(spoilings, times)) {
      wire.spoil = (answer) => spoiled(answer, place, value)
      bench.reopen()
      await outcomeOf(bench.side)
    }
  })
})
