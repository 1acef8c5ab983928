import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { it } from 'node:test'
import { pairing } from '../../src/auth/pairing-code.ts'
import { tokenRoutes } from '../../src/auth/tokens/token-routes.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { noGuests } from '../../src/jsonapi/guests.ts'
import type { Request } from '../../src/jsonapi/route.ts'
import type { Writer } from '../../src/resource/command.ts'
import type { Reader } from '../../src/resource/keeper.ts'
import { Problem } from '../../src/resource/problem.ts'
import { refusal } from '../reservation/refusal.ts'

const full: Writer = { execute: () => Promise.reject(new Problem('storage-full', 'No space is left.')) }

it('a pairing code still pairs after a token could not be stored', async () => {
  const pair = pairing({ clock: virtualClock(0), show: () => {} })
  const code = pair.open()
  const route = tokenRoutes({ writer: full, reader: {} as Reader }, 'live', pair).find(
    ({ path }) => path === 'pairing',
  )!
  await assert.rejects(async () => route.handle(asking({ code })), refusal('storage-full'))
  assert.deepEqual(pair.redeem(code, '127.0.0.1'), { is: 'paired' })
})

function asking(body: unknown): Request {
  return {
    method: 'POST',
    url: '/api/config/v1/pairing',
    params: {},
    query: new URLSearchParams(),
    header: () => '',
    caller: {
      by: 'nobody',
      client: 'nobody',
      role: 'none',
      requestId: null,
      may: () => false,
      expectRecentSecret: () => {},
      isLet: () => false,
      guests: noGuests,
    },
    message: {} as IncomingMessage,
    remoteAddress: '127.0.0.1',
    whenGone: () => () => {},
    body: async () => body,
    text: async () => JSON.stringify(body),
  }
}
