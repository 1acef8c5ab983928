import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Ask, askAt, monday } from '../../../appliance.ts'
import { eventually } from '../../../pms/sync/linked-house.ts'
import { playedPms, reported } from '../../../pms/sync/played-pms.ts'

const program = fileURLToPath(new URL('../../../pms/sync/linked-process.ts', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'nightporter-killed-'))
const pms = playedPms({ pageSize: 3 })

type Call = 'pull' | 'push' | 'publish'
/** Where the power is cut: at the n-th call of a kind, before or after the PMS has done it, or so long after its answer. */
interface Cut {
  call: Call
  nth: number
  when: 'before' | 'after' | number
}

let cut: Cut | null = null
let child: ChildProcess
let url = ''
const ask: Ask = (...asked) => askAt(url, ...asked)
const kill = () => child.kill('SIGKILL')

const server = createServer(async (request, response) => {
  const call = request.url!.slice(1) as Call
  let body = ''
  for await (const chunk of request) body += chunk
  const isHere = cut !== null && cut.call === call && --cut.nth === 0
  const when = isHere ? cut!.when : null
  if (when === 'before') return void kill()
  const input = JSON.parse(body)
  const call_ = {
    pull: () => pms.sync.pull(input, never),
    push: () => pms.sync.push!(input, never),
    publish: () => pms.sync.publish!(input, never),
  }
  const answer = await call_[call]()
  if (when === 'after') return void kill()
  response.end(JSON.stringify(answer ?? null))
  if (typeof when === 'number') {
    await setTimeout(when)
    kill()
  }
})
const never = { signal: new AbortController().signal, actor: { by: 'nobody', requestId: null } }

async function boot(): Promise<void> {
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  child = spawn(process.execPath, [program, data, String(monday), at], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout!, 'data')
  url = String(line).trim()
}

async function ended(): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

let configuration: string
let unitTypeId: string
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await boot()
  const types = await ask('GET', '/api/v2/unit-types?filter[code]=DBL')
  unitTypeId = types.body.data[0].id
  const made = await ask('POST', '/api/config/v1/pms-configurations', {
    body: { name: 'Opera', adapter: 'scripted', heartbeatSeconds: 3600 },
  })
  configuration = `/api/config/v1/pms-configurations/${made.body.data.id}`
  await eventually('linked', async () => (await state()).isKeptInStep === true)
})
after(async () => {
  kill()
  await ended()
  server.close()
  server.closeAllConnections()
  rmSync(data, { recursive: true })
})

const state = async () => (await ask('GET', `${configuration}/sync`)).body.data.attributes

let round = 0
/** Something new on both sides, something that the PMS changes of what the house made, and the other way. */
async function bothChange(): Promise<void> {
  round++
  const stay = {
    startDate: '2026-08-01',
    endDate: '2026-08-02',
    status: 'Confirmed',
    personCount: { adults: 1 },
    reservationIds: [],
    units: [{ unitTypeId }],
  }
  const made = await ask('POST', '/api/v2/reservations', {
    body: { comment: `Ours ${round}`, stays: [stay] },
  })
  assert.equal(made.status, 201, made.text)
  for (let number = 1; number <= 4; number++)
    pms.report(
      `R${round}-${number}`,
      reported(`R${round}-${number}`, {
        comment: `Theirs ${round}`,
        startDate: '2026-09-01',
        endDate: '2026-09-02',
      }),
    )
  if (round === 1) return
  const before = `R${round - 1}-1`
  pms.report(
    before,
    reported(before, { comment: `Changed ${round}`, startDate: '2026-09-01', endDate: '2026-09-02' }),
  )
  const { body } = await ask('GET', `/api/v2/reservations?filter[externalId]=R${round - 1}-2`)
  const [found] = body.data
  assert.ok(found, `R${round - 1}-2`)
  const path = `/api/v2/reservations/${found.id}/stays/${found.attributes.stays[0].id}`
  assert.equal((await ask('PATCH', path, { body: { guestComment: `Ours ${round}` } })).status, 204)
}

/** Every reservation of either side is on the other, once, and says the same. */
async function agree(): Promise<void> {
  await eventually('in step', async () => {
    const reply = await ask('POST', `${configuration}/actions/pull`)
    const { outbox, eventsBehind, quarantined } = await state()
    assert.equal(quarantined, 0)
    return reply.status === 200 && outbox === 0 && eventsBehind === 0
  })
  const { body } = await ask(
    'GET',
    `/api/v2/reservations?filter[integrationId]=${configuration.split('/').at(-1)}&page[size]=100`,
  )
  const here = new Map<string, { comment: string | null; guestComment: string | null; mine: string | null }>()
  for (const { attributes } of body.data) {
    assert.ok(!here.has(attributes.externalId), `${attributes.externalId} is here twice`)
    const [stay] = attributes.stays
    here.set(attributes.externalId, {
      mine: attributes.comment,
      comment: stay.comment,
      guestComment: stay.guestComment,
    })
  }
  assert.deepEqual([...here.keys()].sort(), [...pms.entries.keys()].sort())
  for (const [externalId, { value }] of pms.entries) {
    const stay = value?.stays[0]
    assert.deepEqual(
      here.get(externalId),
      {
        mine: value?.comment ?? null,
        comment: stay?.comment ?? null,
        guestComment: stay?.guestComment ?? null,
      },
      externalId,
    )
  }
  const ours = [...pms.entries.values()].filter(({ value }) => value?.comment?.startsWith('Ours'))
  assert.equal(ours.length, round, 'what was made here is there once')
}

describe('A box that is killed', () => {
  const cuts: Cut[] = [
    { call: 'pull', nth: 1, when: 'before' },
    { call: 'pull', nth: 1, when: 'after' },
    { call: 'pull', nth: 1, when: 4 },
    { call: 'pull', nth: 2, when: 2 },
    { call: 'push', nth: 1, when: 'before' },
    { call: 'push', nth: 1, when: 'after' },
    { call: 'push', nth: 1, when: 6 },
    { call: 'publish', nth: 1, when: 'before' },
    { call: 'publish', nth: 1, when: 'after' },
  ]
  for (const each of cuts) {
    const when =
      typeof each.when === 'number' ? `${each.when} ms after` : each.when === 'after' ? 'at' : 'before'
    it(`${when} the answer to its ${each.nth}. ${each.call} ends up where it would have`, async () => {
      await bothChange()
      cut = { ...each }
      // The request may be cut off with the box.
      void ask('POST', `${configuration}/actions/pull`).catch(() => {})
      await ended()
      cut = null
      await boot()
      await agree()
    })
  }

  it('has sent everything that happened, and of each thing under one id', async () => {
    const { body } = await ask('GET', '/api/v2/events?page[size]=1')
    assert.ok(body.data)
    const bySequence = new Map<string, string>()
    for (const event of pms.events) {
      const { sequence } = event as { sequence?: string }
      assert.equal(bySequence.get(sequence!) ?? event.id, event.id)
      bySequence.set(sequence!, event.id)
    }
    const made = pms.events.filter(({ type }) => type === 'reservation.created').map(({ subject }) => subject)
    assert.equal(new Set(made).size, pms.entries.size)
  })
})
