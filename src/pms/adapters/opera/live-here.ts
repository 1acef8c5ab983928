import { stay } from '../../../reservation/resources/stay.ts'
import { isLive, stayStatuses } from '../../../reservation/stays/rules/status-rules.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { Filter } from '../../../resource/query.ts'
import { ofPms } from '../stays-here.ts'

/** The stays of OPERA that are planned or in house in the appliance. */
export interface LiveHere {
  has(externalId: string): boolean
  /** Their external ids, for those whose last day is before this one. */
  endedBefore(day: string): string[]
}

const live = stayStatuses.filter(isLive)
/** Older ones are left to a person. */
const daysBack = 60
const dayMs = 86_400_000
const most = 250

/** Asks the store for the stays of this PMS that are not over. */
export function liveHere(reader: Reader, configurationId: string): LiveHere {
  const rows = (filters: Filter[], size: number) =>
    live.flatMap((status) => {
      const ofStatus: Filter = { path: 'status', operator: 'eq', value: status }
      return reader.rows(stay, {
        filters: [ofPms(configurationId), ofStatus, ...filters],
        sort: [],
        page: { size },
      })
    })

  return {
    has: (externalId) => rows([{ path: 'externalId', operator: 'eq', value: externalId }], 1).length > 0,
    endedBefore(day) {
      const from = new Date(Date.parse(day) - daysBack * dayMs).toISOString().slice(0, 10)
      const ended: Filter[] = [
        { path: 'endDate', operator: 'gte', value: from },
        { path: 'endDate', operator: 'lt', value: day },
      ]
      return rows(ended, most).flatMap(({ externalId }) => externalId ?? [])
    },
  }
}
