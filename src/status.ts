import { statfsSync } from 'node:fs'
import type { Clock } from './host/clock.ts'
import { type Description, documentOf, exactly } from './jsonapi/description.ts'
import type { Keeping } from './jsonapi/resource-routes.ts'
import type { Route } from './jsonapi/route.ts'
import { property } from './reservation/resources/property.ts'

export interface StatusOptions {
  clock: Clock
  version: string
  startedAt: number
  /** Resolves when the store was checked whole. */
  ready: Promise<void>
  simulated: boolean
  /** The folder whose disk is watched. */
  data: string
}

const smallestFreeBytes = 50_000_000

/** How the appliance is: for people, for watchdogs and for load balancers. */
export function statusRoutes({ reader }: Keeping, options: StatusOptions): Route[] {
  const { clock, version, startedAt, ready, simulated, data } = options
  let checked = false
  void ready.then(
    () => {
      checked = true
    },
    () => {},
  )

  function storage() {
    const { bavail, bsize } = statfsSync(data)
    return { freeBytes: bavail * bsize }
  }

  return [
    {
      method: 'GET',
      path: 'healthz',
      base: '',
      scope: null,
      handle: () => plain(200, 'pass'),
      description: says.alive,
    },
    {
      method: 'GET',
      path: 'readyz',
      base: '',
      scope: null,
      handle: () => (checked ? plain(200, 'pass') : plain(503, 'fail')),
      description: says.ready,
    },
    {
      method: 'GET',
      path: 'status',
      base: '/api/v2',
      scope: 'properties.read',
      description: says.status,
      handle: ({ caller }) => {
        const [house] = reader.rows(property, {
          filters: [],
          sort: [],
          page: { size: 1 },
        })
        const { freeBytes } = storage()
        const status = freeBytes < smallestFreeBytes ? 'warn' : 'pass'
        const open = { status, version, mode: simulated ? 'simulator' : 'offline', time: text(clock.now()) }
        const all = {
          ...open,
          startedAt: text(startedAt),
          uptimeSeconds: Math.round((clock.now() - startedAt) / 1000),
          storage: { freeBytes, integrity: checked ? 'ok' : 'checking' },
        }
        const attributes = caller.may('diagnostics.read') ? all : open
        return {
          status: 200,
          text: JSON.stringify({ data: { type: 'status', id: house?.id ?? 'none', attributes } }),
        }
      },
    },
  ]
}

function plain(status: number, word: string) {
  return { status, text: JSON.stringify({ status: word }), type: 'application/health+json' }
}

function text(instant: number): string {
  return new Date(instant).toISOString()
}

const moment = { type: 'string', format: 'date-time' }
const health = (status: string) => ({
  schema: exactly({ status: { const: status } }),
  type: 'application/health+json',
})

const says = {
  alive: { id: 'readHealth', summary: 'Ask whether the appliance answers', answers: { 200: health('pass') } },
  ready: {
    id: 'readReadiness',
    summary: 'Ask whether the appliance is ready for work',
    answers: { 200: health('pass'), 503: health('fail') },
  },
  status: {
    id: 'readStatus',
    summary: 'Ask the appliance how it is',
    notes: 'Without the scope diagnostics.read the answer is short.',
    answers: {
      200: {
        schema: documentOf(
          'status',
          exactly(
            {
              status: { enum: ['pass', 'warn', 'fail'] },
              version: { type: 'string' },
              mode: { enum: ['online', 'offline', 'degraded', 'simulator'] },
              time: moment,
              startedAt: moment,
              uptimeSeconds: { type: 'integer' },
              storage: exactly({
                freeBytes: { type: 'integer' },
                integrity: { enum: ['ok', 'checking'] },
              }),
            },
            ['startedAt', 'uptimeSeconds', 'storage'],
          ),
        ),
      },
    },
  },
} satisfies Record<string, Description>
