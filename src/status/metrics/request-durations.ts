import { type Histogram, histogram, observe } from '../../host/histogram.ts'
import type { Sample } from './open-metrics.ts'

/** How long requests took, by route, method and status. */
export type RequestDurations = ReturnType<typeof requestDurations>

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** The largest number of series. Further combinations share one series for each status. */
const mostSeries = 300
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Creates the histograms of the requests. Their labels name routes, never the ids in a path. */
export function requestDurations() {
  const series = new Map<string, { labels: Record<string, string>; value: Histogram }>()

  function seriesOf(route: string, method: string, status: number): Histogram {
    const key = `${route} ${method} ${status}`
    const known = series.get(key)
    if (known) return known.value
    const isOther = series.size >= mostSeries && route !== 'other'
    if (isOther) return seriesOf('other', 'other', status)
    const labels = { route, method, status: String(status) }
    const value = histogram(bounds)
    series.set(key, { labels, value })
    return value
  }

  return {
    /** Counts a request. `route` is the path with the names of its parameters; null where no route matched. */
    answered(route: string | null, method: string, status: number, ms: number): void {
      observe(seriesOf(route ?? 'none', methods.has(method) ? method : 'other', status), ms / 1_000)
    },
    samples: (): Sample[] => [...series.values()],
  }
}
