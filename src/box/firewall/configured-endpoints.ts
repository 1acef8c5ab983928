import { type Endpoint, endpointsIn } from '../../host/firewall/endpoints.ts'
import type { Resources } from '../../resource/path.ts'

/** The fields of resources that name where the box connects to, or whom it lets in. */
const configured: Record<string, string> = {
  'access-provider': 'connection',
  'pms-configuration': 'connection',
  'key-service': 'connection',
  'access-controller': 'device',
  dispenser: 'device',
  'payment-terminal': 'path',
  webhook: 'url',
  'backup-target': 'url',
}

/** Returns the endpoints that the configuration of a property names. `texts` returns the only column of a query. */
export function configuredEndpoints(
  resources: Resources,
  texts: (sql: string) => readonly (string | null)[],
): Endpoint[] {
  return Object.entries(configured)
    .flatMap(([type, field]) => texts(`SELECT ${field} AS text FROM ${resources.get(type)!.table}`))
    .flatMap((text) => (text === null ? [] : endpointsIn(parsed(text))))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
