import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configuredEndpoints } from '../../box/firewall/configured-endpoints.ts'
import { resources } from '../../composition/api.ts'
import { readConfig } from '../../config.ts'
import { dataFiles } from '../../host/files/data-files.ts'
import { type Endpoint, endpointsIn } from '../../host/firewall/endpoints.ts'
import { firewallRules } from '../../host/firewall/rules.ts'
import { isSecured } from '../../listen/listen.ts'
import { openReader } from '../../store/connection.ts'
import { settingsOfRelease } from '../../update/update-settings.ts'

/** Ports of HTTPS by a socket unit, and of the page that sends browsers there. */
const wellKnown = [80, 443]

export interface FirewallOptions {
  data: string
  allOutgoing?: boolean
  also?: string
}

/** Prints the rules for the property of a data folder; before its first start those of an empty one. */
export function printFirewall({ data, allOutgoing, also }: FirewallOptions, entry: URL): void {
  const config = readConfig({ data })
  const { from } = { ...settingsOfRelease(entry), ...config.update }
  const ports = [...wellKnown, ...(isSecured(config) && config.port > 0 ? [config.port] : [])]
  const endpoints = [...endpointsOf(data), ...endpointsIn(from), ...(also ? furtherIn(also) : [])]
  console.log(firewallRules({ ports, endpoints, isOutOpen: allOutgoing === true }).trimEnd())
}

function endpointsOf(data: string): Endpoint[] {
  const path = join(data, dataFiles.database)
  if (!existsSync(path)) return []
  const db = openReader(path)
  try {
    return configuredEndpoints(resources, (sql) => {
      try {
        return db.prepare<[], string | null>(sql).pluck().all()
      } catch (error) {
        // The first start, or that of a new version, has not made the table yet.
        if (/no such (table|column)/.test((error as Error).message)) return []
        throw error
      }
    })
  } finally {
    db.close()
  }
}

/** The endpoints in a folder, which need not exist. A file that the daemon has not written to its end counts the next time. */
function furtherIn(folder: string): Endpoint[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((file) => {
    try {
      return endpointsIn(JSON.parse(readFileSync(join(folder, file), 'utf8')))
    } catch {
      return []
    }
  })
}
