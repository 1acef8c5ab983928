import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '../../composition/api.ts'
import { readConfig } from '../../config.ts'
import { dataFiles } from '../../host/data-files.ts'
import { isSecured } from '../../listen/listen.ts'
import { type Connection, openReader } from '../../store/connection.ts'
import { settingsOfRelease } from '../../update/update-settings.ts'
import { type Endpoint, endpointsIn } from './endpoints.ts'
import { firewallRules } from './rules.ts'

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

/** Ports of HTTPS by a socket unit, and of the page that sends browsers there. */
const wellKnown = [80, 443]

/** Prints the rules for the property of a data folder; before its first start those of an empty one. */
export function printFirewall(
  { data, allOutgoing }: { data: string; allOutgoing?: boolean },
  entry: URL,
): void {
  const config = readConfig({ data })
  const { from } = { ...settingsOfRelease(entry), ...config.update }
  const ports = [...wellKnown, ...(isSecured(config) && config.port > 0 ? [config.port] : [])]
  const endpoints = [...endpointsOf(data), ...endpointsIn(from)]
  console.log(firewallRules({ ports, endpoints, isOutOpen: allOutgoing === true }).trimEnd())
}

function endpointsOf(data: string): Endpoint[] {
  const path = join(data, dataFiles.database)
  if (!existsSync(path)) return []
  const db = openReader(path)
  try {
    return Object.entries(configured)
      .flatMap(([type, field]) => textsOf(db, resources.get(type)!.table, field))
      .flatMap((text) => endpointsIn(parsed(text)))
  } finally {
    db.close()
  }
}

function textsOf(db: Connection, table: string, field: string): string[] {
  const rows = db.prepare<[], string | null>(`SELECT ${field} FROM ${table}`).pluck().all()
  return rows.filter((text) => text !== null)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
