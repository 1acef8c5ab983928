import { isFromThisMachine } from '../../auth/from-this-machine.ts'
import type { Histogram } from '../../host/histogram.ts'
import { diskWear } from '../../host/machine/disk-wear.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import { type StatusOptions, statusFacts } from '../status-facts.ts'
import { boxMetrics } from './box-metrics.ts'
import { deviceMetrics } from './device-metrics.ts'
import { type Family, openMetrics, openMetricsType } from './open-metrics.ts'
import { processMetrics } from './process-metrics.ts'
import type { RequestDurations } from './request-durations.ts'

export interface MetricsOptions {
  status: StatusOptions
  requests: RequestDurations
  /** How long commits took, in seconds. */
  commits: Histogram
  /** Whether other machines may read the metrics. */
  network: boolean
}

const fromAfar =
  'The metrics are for programs on this machine. For others, set "metrics": "network" in nightporter.json.'

/** Returns the route of the metrics, for Prometheus and what reads its format. */
export function metricsRoutes({ reader }: Pick<Store, 'reader'>, options: MetricsOptions): Route[] {
  const { status, requests, commits, network } = options
  const facts = statusFacts(status)
  const { clock, startedAt, releaseId: version } = status

  async function families(): Promise<Family[]> {
    const [found, wear, ofProcess] = await Promise.all([
      facts.all(),
      diskWear(status.data),
      processMetrics(clock, startedAt),
    ])
    return [
      ...boxMetrics(found, { version, commits, wear }),
      ...deviceMetrics(reader, found, startedAt),
      {
        name: 'nightporter_http_request_duration_seconds',
        type: 'histogram',
        unit: 'seconds',
        help: 'Time until a request was answered, by route',
        samples: requests.samples(),
      },
      ...ofProcess,
    ]
  }

  async function metrics({ query, message }: Request) {
    expectNoParameters(query)
    if (!network && !isFromThisMachine(message)) throw new Problem('not-found', fromAfar)
    return { status: 200, text: openMetrics(await families()), type: openMetricsType }
  }

  return [routesAt('')('GET', 'metrics', 'metrics.read', description, metrics)]
}

const description = {
  id: 'readMetrics',
  summary: 'Read the metrics',
  notes:
    'In the format OpenMetrics 1.0. Only programs on this machine may read them, unless the setting `metrics` says `network`. No label names a guest, a unit or a card.',
  answers: { 200: { schema: { type: 'string' }, type: 'application/openmetrics-text' } },
  problems: ['unknown-parameter', 'not-found'],
} as const
