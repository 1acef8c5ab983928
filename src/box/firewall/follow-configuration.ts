import type { Clock, Timer } from '../../host/clock.ts'
import { forgetOutgoing, requestRules } from '../../host/firewall/outgoing.ts'
import { firewallPlaces } from '../../host/firewall/places.ts'
import type { Questions } from '../../resource/command.ts'
import type { Resources } from '../../resource/path.ts'
import { configuredEndpoints } from './configured-endpoints.ts'

interface Options {
  resources: Resources
  reader: Pick<Questions, 'all'>
  clock: Clock
  /** Calls the listener after each write, until the returned function is called. */
  written(listener: () => void): () => void
  failed(error: unknown): void
}

/** Writes within this time cause one look. */
const gathersMs = 200

/**
 * Requests new rules of the firewall of a box when the daemon has started, and within a fraction of a second after a change of
 * the configuration that names other endpoints. Does nothing where no firewall is on. Returns a function that ends this.
 */
export function followConfiguration({ resources, reader, clock, written, failed }: Options): () => void {
  const places = firewallPlaces(process.env.RUNTIME_DIRECTORY)
  if (places === null || places === 'off') return () => {}
  let requested: string | null = null
  let timer: Timer | null = null

  function look(): void {
    timer = null
    try {
      const texts = (sql: string) => reader.all<{ text: string | null }>(sql).map(({ text }) => text)
      const named = JSON.stringify(configuredEndpoints(resources, texts))
      if (named === requested) return
      requestRules()
      requested = named
    } catch (error) {
      failed(error)
    }
  }

  function gather(): void {
    timer ??= clock.setTimeout(look, gathersMs).unref()
  }

  try {
    forgetOutgoing()
  } catch (error) {
    failed(error)
  }
  look()
  const stop = written(gather)
  return () => {
    stop()
    timer?.cancel()
  }
}
